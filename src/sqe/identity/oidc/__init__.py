"""The client of an OpenID Connect identity provider. It knows neither protocols of clients nor logins."""
