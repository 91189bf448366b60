"""The real services that SQE is tested with: Keycloak, MinIO, Nessie, OPA and, where it can be had, Polaris.

All of it comes from package registries, pinned and hashed, and is kept in SQE's cache below `stack/`; everything binds
127.0.0.1, on ports that are free at the start. `python -m stack` starts them and says how to use them,
`python -m stack prepare` fetches and builds ahead. docs/stack.md has the rest. In a test:

    from stack.running import running

    with running() as stack:                    # polaris=None: if SQE_TEST_POLARIS is set; False: not; True: or fail
        stack.settings()                        # [auth] and [oidc] of SQE: {"oidc__issuer": ...}, as for running_server
        stack.catalogs                          # what runs: (stack.nessie,) or (stack.nessie, stack.polaris)
        stack.no_polaris                        # why there is none, for pytest.skip; None: there is one

        stack.keycloak.issuer                   # http://127.0.0.1:PORT/realms/sqe
        stack.keycloak.token("alice")           # Grant: .access_token .refresh_token .expires_in .claims()
        stack.keycloak.token("alice", client=accounts.SHORT)      # lives 60 s
        stack.keycloak.exchange(token, audience="polaris")
        stack.keycloak.logout("alice")          # ends the user's sessions: refresh tokens are refused from now on
        stack.keycloak.lifetime("sqe", 5)       # seconds, of access tokens
        stack.keycloak.stop(), .start()         # same port, same keys, same sessions

        stack.minio.endpoint                    # http://127.0.0.1:PORT, S3 and STS
        mark = stack.minio.audit.mark()
        stack.minio.audit.since(mark)           # [Entry]: .api .status .bucket .object .access_key .user .parent
        stack.minio.objects("nessie/")          # keys in the bucket, as the store's root
        stack.minio.stop(), .start()

        stack.opa.endpoint("allow")             # http://127.0.0.1:PORT/v1/data/trino/allow
        stack.opa.put("policy.rego", text)      # replaces the example of docs/policy/opa, in a moment
        stack.opa.stop(), .start()              # alone, without the others: stack.opa.running_opa(directory)

        for catalog in stack.catalogs:          # catalog.CatalogService
            catalog.settings("lake", storage="vended")    # one catalog for sqe: {"catalogs__lake__uri": ..., ...}
            catalog.revoke("alice", "sales.orders"), catalog.grant("bob", "sales.orders")
            mark = catalog.mark()
            catalog.access_log(mark)            # [Access]: .user .method .path .status
            catalog.stop(), catalog.start()     # tables and grants survive it

Privileges at the start, in both catalogs and with a user's own token at MinIO's STS (accounts.NAMESPACES): alice has
the namespaces `sales`, `alice` and `shared`; bob has `bob` and `shared`; carol has an account and no rights at all. The
namespaces are there and empty; tests make tables through SQE. `grant` and `revoke` take a namespace or a table.

Every process ends with the one that started it, even when that is killed; logs are in `stack.directory`.
"""
