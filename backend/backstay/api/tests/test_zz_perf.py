import time
from backstay.api.tests.test_size import big
from backstay.alerts import services
from django.utils import timezone
def test_perf(client, big, db):
    for path in ["ports?sort=-utilisation&limit=100","nodes?limit=100"]:
        client.get("/api/v1/"+path, headers=big)
        best=min(_one(client,path,big) for _ in range(4)); print("PERF",path,best)
    for _ in range(3):
        a=time.process_time(); w=time.time(); services.judge_all(timezone.now()); print("PERF judge cpu",round(time.process_time()-a,3),"wall",round(time.time()-w,3))
    assert 0
def _one(client,path,h):
    a=time.process_time(); w=time.time(); r=client.get("/api/v1/"+path, headers=h); return (round(time.process_time()-a,3), round(time.time()-w,3), len(r.content))
