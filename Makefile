# Every target sets up what it needs and runs alone on a fresh machine. `make help` lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Folder of a demo; another folder is another demo, independent of the first.
DATA ?= .backstay
# Site that the lab builds; several separated by commas, or SITE=all.
SITE ?= argonne
# Number of compute nodes, and link rates relative to the real ones; empty: the site's defaults.
NODES ?=
RATES ?=
# Web port; empty: that of the last run, else 8080 or the next free one. PORT=8081 fails if 8081 is taken.
PORT ?=
# DETACH=1 returns when the demo is ready and leaves it running in the background.
DETACH ?=
# Policies that bench-apply deploys.
POLICY ?= sp-static
# Maximum nodes per wave in bench-apply; empty: one, then a tenth, then all others.
WAVE ?=
# How often bench-failover fails each gateway, and for how many seconds it loads every processor; how often
# bench-safe-change runs each kind.
ROUNDS ?=
LOAD ?=
# Kinds of fault and engines of bench-safe-change, separated by commas; empty: all.
KINDS ?=
ENGINES ?=
# Fault kinds or fault names that bench-verdicts measures, cells of bench-truth, faults of fault-screens, attacks of
# bench-attack, rows of bench-faults, separated by commas; empty: all.
ONLY ?=
# Fraction of the counts of bench-faults; seconds that each attack of bench-attack lasts.
SCALE ?=
LASTS ?=
# RESUME=1: bench-truth keeps the results that it has of this version.
RESUME ?=
# Cases of bench-fuzz (of all roles together), bench-parsers and bench-outages (per site), and the seed of the first two.
CASES ?=
SEED ?=
# Agents of bench-fleet, and how many seconds they send.
AGENTS ?=
SECONDS ?=
# SNMP devices of bench-devices.
DEVICES ?=
# Numbers of nodes of bench-growth, separated by commas; empty: 100 to 10,000.
SIZES ?=
# Number of nodes of bench-map; empty: 10,000.
MAP_NODES ?=
# How often bench-history kills each of roll-up, archive and drop (empty: it measures instead), and bench-alerts the worker.
KILLS ?=
# Gateways that bench-prediction cuts, separated by spaces; empty: all.
KILL ?=
# Pages whose baselines are taken again, separated by |; empty: all.
ROUTES ?=
# UPGRADE=1 lets `make lock` select newer versions.
UPGRADE ?=

PYTHON := .venv/bin/python
NODE_PATH_FIRST := PATH="$(CURDIR)/.venv/bin:$$PATH"

.PHONY: help
help: ## List the targets
	@printf 'make TARGET [DATA=%s] [PORT=...] [DETACH=1] [SITE=%s] [NODES=...] [RATES=...]\n\n' '$(DATA)' '$(SITE)'
	@sed -nE 's/^([a-z-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | column -t -s '	' 2>/dev/null \
	  || sed -nE 's/^([a-z-]+):.*## (.*)/  \1   \2/p' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Start everything on a real lab network and print URL, user and password; SITE=cern,casa or SITE=all; Ctrl-C stops it
	@.ci/setup demo '$(SITE)'
	@exec .venv/bin/backstay-demo up --data '$(DATA)' --site '$(SITE)' $(if $(PORT),--port '$(PORT)') $(if $(NODES),--nodes '$(NODES)') $(if $(RATES),--rates '$(RATES)') $(if $(filter-out 0,$(DETACH)),--detach)

.PHONY: demo-stop
demo-stop: ## Stop the demo and clean up, including after a crash
	@if [ -x .venv/bin/backstay-demo ]; then exec .venv/bin/backstay-demo down --data '$(DATA)'; else echo 'No demo is running: nothing is installed yet.'; fi

.PHONY: verify-site
verify-site: ## Compare the API of a running demo's SITE with the counters of the kernel and of system tools
	@.ci/setup demo '$(SITE)'
	@exec .venv/bin/backstay-demo verify --data '$(DATA)' --site '$(SITE)'

.PHONY: test
test: ## Run all tests: unit, PostgreSQL, Redis, namespaces, browser; ends with "N passed, N failed"
	@.ci/setup test
	@exec $(PYTHON) .ci/tests.py

.PHONY: check
check: ## Check style, types, imports, names, locks and generated files, as CI does
	@.ci/setup check
	@exec $(PYTHON) .ci/check.py

.PHONY: baselines
baselines: ## Take the screenshots again that `make test` compares with every page, without a backend; ROUTES='devices|device'
	@.ci/setup test
	@cd frontend && $(NODE_PATH_FIRST) npm run --silent e2e-mock -- --project baselines --update-snapshots=changed $(if $(ROUTES),--grep ' ($(ROUTES))$$')
	@$(PYTHON) .ci/baselines.py frontend/e2e/mock/baselines

.PHONY: crawl
crawl: ## Press every control of every page, without a backend; ROUTES='devices|device'
	@.ci/setup test
	@cd frontend && $(NODE_PATH_FIRST) npm run --silent e2e-mock -- --project crawl $(if $(ROUTES),--grep ' ($(ROUTES))$$')

.PHONY: test-images
test-images: ## Build the images of docker-compose.yml without a Docker engine, and start the backend's services (root)
	@.ci/setup images
	@exec $(PYTHON) .ci/images.py

.PHONY: gen-api
gen-api: ## Generate backend/openapi.json, the frontend's types and the command line's models
	@.ci/setup check
	@cd backend && BACKSTAY_DEBUG=1 ../$(PYTHON) manage.py export_openapi
	@cd frontend && $(NODE_PATH_FIRST) npm run --silent gen-api
	@$(PYTHON) .ci/cli_models.py agents/cli/src/backstay_cli

.PHONY: lock
lock: ## Generate the Python lock files from the packages' requirements; UPGRADE=1 selects newer versions
	@.ci/setup check
	@$(PYTHON) .ci/locks.py make $(if $(filter-out 0,$(UPGRADE)),--upgrade)

.PHONY: bench-ingest
bench-ingest: ## Measure the cost of storing reports, compared with PostgreSQL alone
	@.ci/setup bench
	@exec $(PYTHON) backend/bench/ingest.py

.PHONY: bench-archive
bench-archive: ## Measure the archive of closed days: octets per port-row, processor time, reading one hour
	@.ci/setup bench
	@exec $(PYTHON) backend/bench/archive.py

.PHONY: bench-history
bench-history: ## Measure roll-ups: bytes per port-row, cost, and charts of one port over 24 hours, 7 days and a year; KILLS=50 kills roll-up, archive and drop so often and compares all levels
	@.ci/setup bench
	@exec $(PYTHON) backend/bench/history.py $(if $(KILLS),--kills '$(KILLS)')

.PHONY: bench-report-limits
bench-report-limits: ## Measure how long the largest accepted report of each kind takes to be stored; ONLY=routes,counters
	@.ci/setup bench
	@exec $(PYTHON) backend/bench/report_limits.py $(if $(ONLY),--only '$(ONLY)')

.PHONY: bench-fleet
bench-fleet: ## Measure the ingest with AGENTS=200 agents, one connection each, for SECONDS=60, and count lost reports
	@.ci/setup bench
	@cd backend && exec ../$(PYTHON) -m bench.fleet $(if $(AGENTS),--agents '$(AGENTS)') $(if $(SECONDS),--seconds '$(SECONDS)')

.PHONY: bench-agent
bench-agent: ## Measure processor and memory use of an agent on a host with 8 ports
	@.ci/setup bench
	@exec $(PYTHON) -m backstay_bench

.PHONY: bench-snmp
bench-snmp: ## Measure the SNMP poll of 500 devices end to end, compared with the bare libraries and tools
	@.ci/setup bench
	@exec $(PYTHON) -m backstay_bench.snmp

.PHONY: bench-devices
bench-devices: ## Measure whether one agent polls 1,000 SNMP devices of 40 kinds on time; DEVICES=200
	@.ci/setup bench
	@exec $(PYTHON) -m backstay_bench.devices $(if $(DEVICES),--devices '$(DEVICES)')

.PHONY: bench-parsers
bench-parsers: ## Measure errors and the slowest call of all text and SNMP parsers with CASES=500000 damaged captures and datagrams
	@.ci/setup bench
	@exec $(PYTHON) -m backstay_bench.parsers $(if $(CASES),--cases '$(CASES)') $(if $(SEED),--seed '$(SEED)')

.PHONY: bench-outages
bench-outages: ## Check in CASES=110 histories of outages per site of the lab that each root cause is one notification; `make test` plays 40
	@.ci/setup bench
	@BACKSTAY_LAB_OUTAGES=$(or $(CASES),110) exec $(PYTHON) -m pytest -q --timeout=7200 backend/backstay/alerts/tests/notify/test_lab_outages.py

.PHONY: bench-plan
bench-plan: ## Measure planning for 1,000 nodes over 8 gateways, including every single failure
	@.ci/setup bench
	@exec $(PYTHON) backend/bench/plan.py

.PHONY: bench-what-if
bench-what-if: ## Measure loads of all single failures of a fabric of 10,000 hosts, compared with networkx and scipy
	@.ci/setup bench
	@exec $(PYTHON) backend/bench/what_if.py

.PHONY: bench-arp
bench-arp: ## Measure the ARP address rule over 10,000 nodes
	@.ci/setup bench
	@exec $(PYTHON) backend/bench/arp.py

.PHONY: bench-growth
bench-growth: ## Measure imports, rounds, all GET operations, live clients and plans at sites of SIZES=100,300,1000,3000,10000 nodes
	@.ci/setup bench
	@cd backend && exec ../$(PYTHON) -m bench.growth $(if $(SIZES),--sizes '$(SIZES)')

.PHONY: bench-map
bench-map: ## Measure the map of a site of MAP_NODES=10000 nodes in Chromium: first paint, heap, panning, frames at rest
	@.ci/setup test
	@cd frontend && $(NODE_PATH_FIRST) npm run --silent bench-map -- $(if $(MAP_NODES),--nodes '$(MAP_NODES)')

.PHONY: bench-pages
bench-pages: ## Measure pages of 10,000 nodes (NODES=...), a device of 1,000 ports and a port with a year of history in Chromium: usable, heap, requests, Ctrl-K; SCREENS=folder keeps pictures
	@.ci/setup bench
	@.ci/setup test
	@cd backend && PATH="$(CURDIR)/.venv/bin:$$PATH" exec ../$(PYTHON) -m bench.growth.pages $(if $(NODES),--nodes '$(NODES)') $(if $(SCREENS),--screens '$(abspath $(SCREENS))')

.PHONY: bench-failover
bench-failover: ## Measure the outage of a failover, compared with the bare daemons; ROUNDS=0 LOAD=600 measures only false failovers under load
	@.ci/setup bench
	@exec $(PYTHON) -m backstay_bench.failover $(if $(ROUNDS),--rounds '$(ROUNDS)') $(if $(LOAD),--load '$(LOAD)')

.PHONY: bench-apply
bench-apply: ## Measure the deployment time of POLICY per wave (of at most WAVE nodes) on the running demo
	@.ci/setup bench
	@exec $(PYTHON) -m backstay_bench.apply --demo '$(DATA)/demo.json' --policy $(POLICY) $(if $(WAVE),--wave-size $(WAVE))

.PHONY: bench-safe-change
bench-safe-change: ## Measure whether changes are undone when they are cut off, killed or interleaved; KINDS=MTU,kills ENGINES=frr ROUNDS=3
	@.ci/setup bench
	@exec $(PYTHON) -m backstay_bench.safe_change --kinds '$(KINDS)' --engines '$(ENGINES)' $(if $(ROUNDS),--rounds '$(ROUNDS)')

.PHONY: demo-year
demo-year: ## Add a site with a generated, labelled year of 10,000 ports to the running demo (about 20 GB of disk)
	@.ci/setup bench
	@exec $(PYTHON) backend/bench/demo_history.py --demo '$(DATA)'

.PHONY: bench-truth
bench-truth: ## Measure whether overview, map, paths, incidents and CLI are right about real faults in the running demo; ONLY=cut,silence/two; RESUME=1 runs only cells without a result
	@.ci/setup bench
	@exec $(PYTHON) -m backstay_bench.truth --demo '$(DATA)/demo.json' --site '$(SITE)' $(if $(ONLY),--only '$(ONLY)') $(if $(RESUME),--resume)

.PHONY: bench-prediction
bench-prediction: ## Compare the what-if page's loads with the kernel's counters when each gateway of the running demo fails; KILL="gw1 gw2"
	@.ci/setup bench
	@exec $(PYTHON) -m backstay_bench.prediction --demo '$(DATA)/demo.json' --site '$(SITE)' $(if $(KILL),--kill $(KILL))

.PHONY: fault-screens
fault-screens: ## Take screenshots of the pages of the running demo under each single fault of bench-truth; ONLY=cut,silence
	@.ci/setup test
	@cd frontend && $(NODE_PATH_FIRST) BACKSTAY_DEMO_JSON='$(abspath $(DATA))/demo.json' BACKSTAY_LAB_STATE='$(abspath $(DATA))/lab' \
	  BACKSTAY_FAULT_SCREENS='$(or $(ONLY),all)' npm run --silent e2e -- --project faults

.PHONY: bench-ib
bench-ib: ## Measure a sweep of a 648-host InfiniBand fabric, compared with the bare tool
	@.ci/setup bench karlsruhe-large
	@exec $(PYTHON) -m backstay_bench.infiniband

.PHONY: bench-verdicts
bench-verdicts: ## Measure 70 faulty and healthy paths in namespaces with real agents and score the verdicts; ONLY=loss,mtu
	@.ci/setup bench
	@set -e; out=$$(mktemp); trap 'rm -f "$$out"' EXIT; \
	  $(PYTHON) -m backstay_bench.verdicts "$$out" $(if $(ONLY),--only '$(ONLY)'); \
	  $(PYTHON) backend/bench/verdicts.py "$$out" --why

.PHONY: bench-attack
bench-attack: ## Measure how reports of other sites are delayed while one client attacks the service; ONLY=sign-in,storm LASTS=10
	@.ci/setup bench
	@cd backend && exec ../$(PYTHON) -m bench.attack $(if $(ONLY),--only '$(ONLY)') $(if $(LASTS),--seconds '$(LASTS)')

.PHONY: bench-faults
bench-faults: ## Measure whether data is lost or duplicated when processes are killed, stopped or hostile; ONLY=R5,R8 SCALE=0.1
	@.ci/setup bench
	@cd backend && exec ../$(PYTHON) -m bench.faults $(if $(ONLY),--only '$(ONLY)') $(if $(SCALE),--scale '$(SCALE)')

.PHONY: bench-hosts
bench-hosts: ## Measure recovery times and lost reports when each component of three hosts is killed; AGENTS=300 ONLY=redis,promotion
	@.ci/setup bench
	@cd backend && exec ../$(PYTHON) -m bench.hosts $(if $(AGENTS),--agents '$(AGENTS)') $(if $(ONLY),--only '$(ONLY)')

.PHONY: bench-stores
bench-stores: ## Measure reads from a PostgreSQL standby, and samples on several PostgreSQL servers through postgres_fdw
	@.ci/setup bench
	@cd backend && ../$(PYTHON) -m bench.stores.standby_reads && exec ../$(PYTHON) -m bench.stores.partition_servers

.PHONY: bench-fuzz
bench-fuzz: ## Send CASES cases of schemathesis and hostile values to the running service as each role; CASES=3000 SEED=2
	@.ci/setup bench
	@cd backend && exec ../$(PYTHON) -m bench.fuzz $(if $(CASES),--cases '$(CASES)') $(if $(SEED),--seed '$(SEED)')

.PHONY: bench-alerts
bench-alerts: ## Measure the rules about 50,000 ports, and notifications: delay, messages of a burst and of flaps, losses while workers are killed and Redis is flushed; ONLY=first,kills (without the rules) KILLS=10
	@.ci/setup bench
	@$(if $(ONLY),true,$(PYTHON) backend/bench/alerting/rules.py)
	@cd backend && exec ../$(PYTHON) -m bench.alerting.notifications $(if $(ONLY),--only '$(ONLY)') $(if $(KILLS),--kills '$(KILLS)')

.PHONY: papers
papers: ## Print Backstay's verdict and the paper's conclusion for every row of the papers' tables
	@.ci/setup check
	@cd backend && exec ../$(PYTHON) -m backstay.throughput.papers
