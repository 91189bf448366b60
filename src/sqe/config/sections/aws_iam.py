"""`[aws_iam]`: people who have an access key of AWS."""

from __future__ import annotations

from pydantic import Field, field_validator

from sqe.config.fields import Section, Url


class AwsIamConfig(Section):
    """The provider `aws_iam`, which asks AWS's STS whose access key it is (GetCallerIdentity)."""

    region: str = Field(
        default="us-east-1",
        description="The region that the question is signed for.",
        pattern=r"^[a-z0-9-]+$",
    )
    sts_endpoint: Url | None = Field(default=None, description="Another STS. Unset: the region's.")
    users: dict[str, str] = Field(
        default_factory=dict,
        description="Who is which user: ARNs, and names. After the account, `*` stands for any characters and `?` for "
        "one, but neither for `/` or `:`. The first that fits counts; whom none fits is refused.",
    )

    @field_validator("users")
    @classmethod
    def _check_users(cls, users: dict[str, str]) -> dict[str, str]:
        for arn, user in users.items():
            if not arn.startswith("arn:") or not user:
                raise ValueError(f'holds \'{arn}\'; write "arn:..." = "user"')
        return users
