"""Access policies: the policy engines, the decision point that combines their verdicts, and statements about access."""
