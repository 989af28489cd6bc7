# Every verb sets up what it needs first, and each can be run alone on a fresh machine. `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Where a demo keeps everything; another folder makes another demo, side by side with the first.
DATA ?= .backstay
# Which site the lab builds; several with commas between, or all of them with SITE=all.
SITE ?= argonne
# Compute nodes of that site, and its rates as a share of the real ones; empty: the site's own choice.
NODES ?=
RATES ?=
# The web port: 8080 or the next free one when not given. PORT=8081 insists on 8081.
PORT ?=
# DETACH=1 returns when the demo is ready; it then runs on in the background.
DETACH ?=
# Which policies bench-apply brings about.
POLICY ?= sp-static
# Nodes at one time at most in bench-apply; empty: one, a tenth, all others.
WAVE ?=
# How often bench-failover breaks each gateway, and for how many seconds it keeps every processor busy.
TURNS ?=
LOAD ?=
# Which kinds of faults bench-verdicts measures, or which faults by name, with commas between; empty: all.
ONLY ?=
# UPGRADE=1 lets `make lock` take newer versions.
UPGRADE ?=

PYTHON := .venv/bin/python
NODE_PATH_FIRST := PATH="$(CURDIR)/.venv/bin:$$PATH"

.PHONY: help
help: ## List the verbs
	@printf 'make VERB [DATA=%s] [PORT=...] [DETACH=1] [SITE=%s] [NODES=...] [RATES=...]\n\n' '$(DATA)' '$(SITE)'
	@sed -nE 's/^([a-z-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | column -t -s '	' 2>/dev/null \
	  || sed -nE 's/^([a-z-]+):.*## (.*)/  \1   \2/p' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Start everything on a real lab network and print URL, user and password; SITE=cern,casa or SITE=all; Ctrl-C stops it
	@.ci/setup demo '$(SITE)'
	@exec .venv/bin/backstay-demo up --data '$(DATA)' --site '$(SITE)' $(if $(PORT),--port '$(PORT)') $(if $(NODES),--nodes '$(NODES)') $(if $(RATES),--rates '$(RATES)') $(if $(filter-out 0,$(DETACH)),--detach)

.PHONY: demo-stop
demo-stop: ## Stop the demo and clean up, also after a crash
	@if [ -x .venv/bin/backstay-demo ]; then exec .venv/bin/backstay-demo down --data '$(DATA)'; else echo 'No demo runs: nothing is installed yet.'; fi

.PHONY: verify-site
verify-site: ## Compare what the API says of a running demo's SITE with the kernel's and the tools' own numbers
	@.ci/setup demo '$(SITE)'
	@exec .venv/bin/backstay-demo verify --data '$(DATA)' --site '$(SITE)'

.PHONY: test
test: ## Run every test: unit, PostgreSQL, Redis, namespaces, browser; ends with "N passed, N failed"
	@.ci/setup test
	@exec $(PYTHON) .ci/tests.py

.PHONY: check
check: ## Check style, types, imports, locks and generated files; what CI runs
	@.ci/setup check
	@exec $(PYTHON) .ci/check.py

.PHONY: gen-api
gen-api: ## Write backend/openapi.json and the frontend's types from the code
	@.ci/setup check
	@cd backend && BACKSTAY_DEBUG=1 ../$(PYTHON) manage.py export_openapi
	@cd frontend && $(NODE_PATH_FIRST) npm run --silent gen-api

.PHONY: lock
lock: ## Write the Python lock files from the packages' requirements; UPGRADE=1 takes newer versions
	@.ci/setup check
	@$(PYTHON) .ci/locks.py make $(if $(filter-out 0,$(UPGRADE)),--upgrade)

.PHONY: bench-ingest
bench-ingest: ## Measure what storing reports costs, beside PostgreSQL alone
	@.ci/setup demo
	@exec $(PYTHON) backend/bench/ingest.py

.PHONY: bench-agent
bench-agent: ## Measure an agent's processor and memory use on a host with 8 ports
	@.ci/setup demo
	@exec $(PYTHON) -m backstay_bench

.PHONY: bench-snmp
bench-snmp: ## Measure the SNMP poll of 500 devices end to end, beside the bare libraries and tools
	@.ci/setup demo
	@exec $(PYTHON) -m backstay_bench.snmp

.PHONY: bench-plan
bench-plan: ## Measure a plan for 1,000 nodes over 8 gateways, every single failure walked
	@.ci/setup demo
	@exec $(PYTHON) backend/bench/plan.py

.PHONY: bench-arp
bench-arp: ## Measure the ARP address rule over 10,000 nodes
	@.ci/setup demo
	@exec $(PYTHON) backend/bench/arp.py

.PHONY: bench-failover
bench-failover: ## Measure the outage at a failover, beside the bare daemons; TURNS=0 LOAD=600: false switches under load only
	@.ci/setup demo
	@exec $(PYTHON) -m backstay_bench.failover $(if $(TURNS),--turns '$(TURNS)') $(if $(LOAD),--load '$(LOAD)')

.PHONY: bench-apply
bench-apply: ## Measure how long a change of POLICY takes, wave by wave (of at most WAVE nodes), on the demo that runs
	@.ci/setup demo
	@exec $(PYTHON) -m backstay_bench.apply --demo '$(DATA)/demo.json' --policy $(POLICY) $(if $(WAVE),--wave-size $(WAVE))

.PHONY: bench-ib
bench-ib: ## Measure a sweep of a 648-host InfiniBand fabric beside the bare tool
	@.ci/setup demo karlsruhe-large
	@exec $(PYTHON) -m backstay_bench.infiniband

.PHONY: bench-verdicts
bench-verdicts: ## Build 70 faults and healthy ways in namespaces, measure each with real agents, and judge the verdicts; ONLY=loss,mtu
	@.ci/setup demo
	@set -e; out=$$(mktemp); trap 'rm -f "$$out"' EXIT; \
	  $(PYTHON) -m backstay_bench.verdicts "$$out" $(if $(ONLY),--only '$(ONLY)'); \
	  $(PYTHON) backend/bench/verdicts.py "$$out" --why

.PHONY: papers
papers: ## Judge every row of the papers' tables and print what the paper concluded beside our verdict
	@.ci/setup check
	@cd backend && exec ../$(PYTHON) -m backstay.throughput.papers
