"""The interactive shell: read one statement at a time, and run it with the interpreter."""

from __future__ import annotations

from prompt_toolkit import PromptSession
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import ThreadedCompleter
from prompt_toolkit.formatted_text import FormattedText
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from sqe import __version__
from sqe.cli import exit_codes
from sqe.cli.execution.interpreter import Interpreter
from sqe.cli.execution.runner import Interrupted, Runner
from sqe.cli.execution.script import is_dot, items
from sqe.cli.output.escape import visible
from sqe.cli.output.sink import PipeClosed
from sqe.cli.shell.completion import ShellCompleter
from sqe.cli.shell.completion_metadata import CompletionMetadata
from sqe.cli.shell.dot_commands import Quit
from sqe.cli.shell.highlighting import STYLE, ShellLexer
from sqe.cli.shell.history import ShellHistory
from sqe.config.schema import Config
from sqe.model.session import Catalog, RestCatalog, SessionSpec
from sqe.sql.split import complete

PROMPT = "sqe> "
CONTINUATION = "...> "


class Shell:
    """Shows the prompt before the engine is ready: the first statement waits for the engine."""

    def __init__(self, config: Config, spec: SessionSpec, runner: Runner, interpreter: Interpreter) -> None:
        self._spec = spec
        self._runner = runner
        self._interpreter = interpreter
        self._metadata = CompletionMetadata(spec, lambda: runner.connection.current)
        self._metadata.refresh()
        interpreter.after = self._metadata.after
        self._prompt: PromptSession[str] = PromptSession(
            FormattedText([("class:prompt", PROMPT)]),
            multiline=True,
            prompt_continuation=lambda width, number, wrapped: FormattedText(
                [("class:continuation", CONTINUATION)]
            ),
            history=ShellHistory(config.paths.home / "history", config.shell.history_size),
            auto_suggest=AutoSuggestFromHistory(),
            completer=ThreadedCompleter(ShellCompleter(self._metadata)),
            complete_while_typing=False,
            lexer=ShellLexer() if runner.console.color else None,
            style=STYLE,
            include_default_pygments_style=False,
            key_bindings=_key_bindings(),
            rprompt=self._note,
            enable_history_search=True,
        )
        runner.connection.on_change = self._prompt.app.invalidate  # safe from any thread

    def run(self) -> int:
        """Read and run until the user leaves."""
        self._banner()
        while True:
            try:
                text = self._prompt.prompt()
            except KeyboardInterrupt:
                continue  # discard the line
            except EOFError:
                return exit_codes.OK
            try:
                self._execute(text)
            except (Quit, PipeClosed):
                return exit_codes.OK

    def _execute(self, text: str) -> None:
        self._metadata.busy()
        try:
            for item in items([text]):
                self._interpreter.item(item)
        except (Interrupted, KeyboardInterrupt):
            self._runner.console.write_error(self._runner.console.paint("error", "Canceled."))
        finally:
            self._metadata.idle()

    def _banner(self) -> None:
        console = self._runner.console
        console.out.text(
            f"{console.paint('bold', f'SQE {__version__}')} on {_where(self._spec.catalogs[0])}\n"
            f"{console.paint('dim', 'End statements with ; and type .help for commands.')}\n"
        )

    def _note(self) -> FormattedText:
        # Not beside a line that was entered.
        note = None if self._prompt.app.is_done else self._runner.connection.note
        return FormattedText([("class:note", f"{visible(note)} …")] if note else [])


def _where(catalog: Catalog) -> str:
    if isinstance(catalog, RestCatalog):
        return f"{catalog.name} at {visible(catalog.uri)}"
    return f"warehouse {visible(str(catalog.path))}" if catalog.path else "a throw-away warehouse"


def _key_bindings() -> KeyBindings:
    bindings = KeyBindings()

    @bindings.add("enter")
    def _(event: KeyPressEvent) -> None:
        """Run a complete statement; otherwise begin another line."""
        buffer = event.current_buffer
        if buffer.complete_state and buffer.complete_state.current_completion:
            buffer.complete_state = None  # Enter takes the selected completion
            return
        text = buffer.text
        if not text.strip() or is_dot(text) or complete(text):
            buffer.validate_and_handle()
        else:
            buffer.newline(copy_margin=False)

    @bindings.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.newline(copy_margin=False)

    return bindings
