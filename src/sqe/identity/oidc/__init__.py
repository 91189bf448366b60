"""The client of an OpenID Connect identity provider. Knows no door, and no login of ours."""
