"""`[aws_iam]`: authentication with AWS access keys."""

from __future__ import annotations

from pydantic import Field, field_validator

from sqe.config.fields import Section, Url


class AwsIamConfig(Section):
    """The provider `aws_iam`, which authenticates AWS access keys at STS (GetCallerIdentity)."""

    region: str = Field(
        default="us-east-1",
        description="The region that SQE signs the request for.",
        pattern=r"^[a-z0-9-]+$",
    )
    sts_endpoint: Url | None = Field(default=None, description="Another STS. Unset: the region's.")
    users: dict[str, str] = Field(
        default_factory=dict,
        description="The users by ARN. After the account, `*` stands for any characters and `?` for "
        "one, but neither for `/` or `:`. The first match counts; an ARN without a match is refused.",
    )

    @field_validator("users")
    @classmethod
    def _check_users(cls, users: dict[str, str]) -> dict[str, str]:
        for arn, user in users.items():
            if not arn.startswith("arn:") or not user:
                raise ValueError(f'holds \'{arn}\'; write "arn:..." = "user"')
        return users
