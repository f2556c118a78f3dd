"""What a company's directory does, with scim2-client, and what scim2-tester says: run by a Python that has both.

    python scim_client.py URL TOKEN EMAIL

writes a JSON object of what it saw.
"""

import json
import sys
from typing import Any

import httpx2
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_models import Error, PatchOp, PatchOperation, SearchRequest
from scim2_tester import Status, check_server

_, url, token, email = sys.argv
seen = {}
client = SyncSCIMClient(httpx2.Client(base_url=url, headers={"Authorization": f"Bearer {token}"}, trust_env=False))
client.discover()
User = client.get_resource_model("User")


def find(expression: str) -> Any:
    return client.query(User, query_parameters=SearchRequest(filter=expression)).resources


(user,) = find(f'userName eq "{email.upper()}"')
seen["user"] = user.model_dump()
seen["unknown"] = len(find('userName eq "nobody@example.org"') or [])
for active in (False, True, False):
    operation = PatchOperation(op=PatchOperation.Op.replace_, path="active", value=active)
    patched = client.modify(User, user.id, PatchOp[User](operations=[operation]))
    seen.setdefault("patched", []).append(patched.active)
user_now = client.query(User, user.id)
user_now.active = True
seen["replaced"] = client.replace(user_now).active
missing = client.query(User, "nobody", raise_scim_errors=False)
seen["missing"] = [isinstance(missing, Error), str(missing.status)]
results = check_server(client, include_tags={"discovery", "service-provider-config", "schemas", "resource-types"})
seen["faults"] = [
    f"{each.status.name} {each.title}: {each.reason}"
    for each in results
    if each.status not in (Status.SUCCESS, Status.SKIPPED)
]
seen["successes"] = [each.title for each in results if each.status is Status.SUCCESS]
sys.stdout.write(json.dumps(seen, default=str))
