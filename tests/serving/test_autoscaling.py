"""Ray Serve begins replicas where many ask, and ends them when nobody does."""

import yaml

from tests.app.test_procfile import free_port
from tests.serving.cluster import ROOT, asking, cluster
from tests.serving.test_faults import SOON, evidence

QUICK = {  # looks each half a second at the last two
    "min_replicas": 1,
    "max_replicas": 2,
    "target_ongoing_requests": 1,
    "upscale_delay_s": 0.5,
    "downscale_delay_s": 1,
    "look_back_period_s": 2,
    "metrics_interval_s": 0.5,
}
LONG = 6  # questions that take seconds each


def test_a_replica_comes_for_a_crowd_and_goes_after_it():
    told = yaml.safe_load((ROOT / ".deploy" / "serve.yaml").read_text("utf-8"))
    assert told["applications"][0]["deployments"][0]["autoscaling_config"].keys() <= QUICK.keys()
    settings = {"num_replicas": None, "autoscaling_config": QUICK}
    with cluster(free_port(), settings) as own, asking(own) as engine:
        own.wait_for_replicas(1, most=1)
        futures = [engine.submit(evidence(seed)) for seed in range(LONG)]
        own.wait_for_replicas(2)
        assert all(future.result(SOON).ndim == 2 for future in futures)
        own.wait_for_replicas(1, most=1, seconds=SOON)
