// Made by `npm run gen-api` from backend/openapi.json; change that document, never this file.

export interface paths {
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Agents
         * @description A site's agents, revoked ones included.
         */
        get: operations["list_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke Agent
         * @description Shut an agent out, within a minute and for good. Needs admin at its site.
         */
        post: operations["revoke_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/enrolment-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Enrolment Token
         * @description A token that lets one agent enrol once for this node within 15 minutes. Needs admin at the site.
         */
        post: operations["create_enrolment_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Events
         * @description What happened at a site, the newest first. `q` looks into messages; `start`, `end` as `now-1h`.
         */
        get: operations["list_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fabrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Fabrics
         * @description A site's fabrics with their rates and how many ports they have.
         */
        get: operations["list_fabrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/failover-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Failover Policies
         * @description What the site file wants: for these nodes and this prefix, gateways in order of preference.
         */
        get: operations["list_failover_policies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Health
         * @description Always 200 when the process answers; `status` says whether what it needs is there too.
         */
        get: operations["get_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Incidents
         * @description What is or was wrong at a site, the newest first; `phase=current` is open or acknowledged.
         */
        get: operations["list_incidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Incident
         * @description One incident.
         */
        get: operations["get_incident"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/incidents/{id}/acknowledge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge Incident
         * @description Take an open incident, so that others know. Needs operator at the site.
         */
        post: operations["acknowledge_incident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Links
         * @description A site's links with their load in both directions. `utilisation` sorts by the fuller direction.
         */
        get: operations["list_links"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Link
         * @description One link.
         */
        get: operations["get_link"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/links/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Link History
         * @description A link's load over time, from the end that has the most samples of the range.
         */
        get: operations["get_link_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live
         * @description Server-sent events; resumable by Last-Event-ID.
         */
        get: operations["live"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Nodes
         * @description A site's nodes with their state. `q` looks into names and titles.
         */
        get: operations["list_nodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Node
         * @description One node.
         */
        get: operations["get_node"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Overview
         * @description What is broken, nearly full, just changed, to confirm and out of sight, and the busiest links.
         */
        get: operations["get_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/paths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Paths
         * @description The path of each node under each policy: which gateway, since when, through which links.
         */
        get: operations["list_paths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/paths/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Path
         * @description One path.
         */
        get: operations["get_path"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Ports
         * @description A site's ports with state and load now. `q` looks into `node:port`; `-utilisation` finds the full.
         */
        get: operations["list_ports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/ports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Port
         * @description One port.
         */
        get: operations["get_port"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Session
         * @description Who is signed in, what they may do at most at any site, and the CSRF token for unsafe methods.
         */
        get: operations["get_session"];
        put?: never;
        /**
         * Sign In
         * @description Sign in by name and password; sets the session cookie.
         */
        post: operations["sign_in"];
        /**
         * Sign Out
         * @description End the session on the server.
         */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/site-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Site File
         * @description Make a site equal to a file, or with `dry_run` say what that would do. Needs admin at every site.
         */
        post: operations["import_site_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sites": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sites
         * @description The sites that you may see, by name; always one page.
         */
        get: operations["list_sites"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/topology": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Topology
         * @description Every node, every fabric that ports share, every link with its load in both directions.
         */
        get: operations["get_topology"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Acknowledge
         * @description Body of `POST /incidents/{id}/acknowledge`.
         */
        Acknowledge: {
            /**
             * Comment
             * @default
             */
            comment: string;
        };
        /**
         * AgentOut
         * @description A host agent.
         */
        AgentOut: {
            /** Age S */
            age_s: number | null;
            /** Clock Offset S */
            clock_offset_s: number | null;
            /** Id */
            id: string;
            /**
             * Kind
             * @default agent
             * @constant
             */
            kind: "agent";
            /** Name */
            name: string;
            /** Node */
            node: string;
            /** Revoked */
            revoked: boolean;
            /** Since */
            since: string | null;
            /** Sources */
            sources: string[];
            /** Spool Dropped */
            spool_dropped: number;
            /** Spool Waiting */
            spool_waiting: number;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Url */
            url: string;
            /** Version */
            version: string;
        };
        /**
         * EnrolmentTokenIn
         * @description Body of `POST /enrolment-tokens`: which node's agent may enrol.
         */
        EnrolmentTokenIn: {
            /** Node */
            node: string;
            /** Site */
            site: string;
        };
        /**
         * EnrolmentTokenOut
         * @description The token is shown once and never again.
         */
        EnrolmentTokenOut: {
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Node */
            node: string;
            /** Token */
            token: string;
        };
        /**
         * EventOut
         * @description Something that happened, in one sentence with its figures.
         */
        EventOut: {
            /** Age S */
            age_s: number;
            /**
             * Data
             * @description By kind. path.switched: {policy, prefix, from, to, outage_ms, lost_probes, probe_interval_ms}
             */
            data: {
                [key: string]: unknown;
            };
            /** Id */
            id: number;
            /** Incident Id */
            incident_id: number | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "path.switched" | "path.lost" | "path.dead" | "path.restored" | "port.down" | "port.up" | "node.stale" | "node.heard" | "node.restarted" | "incident.opened" | "incident.resolved" | "incident.acknowledged" | "agent.enrolled" | "site.imported" | "clock.stepped" | "spool.dropped";
            /** Link Id */
            link_id: number | null;
            /** Message */
            message: string;
            /**
             * Name
             * @description What it is about: node, port, path
             */
            name: string;
            /** Node */
            node: string | null;
            /** Node Id */
            node_id: number | null;
            /**
             * Since
             * Format: date-time
             * @description When it happened, by the observer's corrected clock
             */
            since: string;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** Url */
            url: string;
        };
        /**
         * Evidence
         * @description Who says that the link exists, and when.
         */
        Evidence: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Source */
            source: string;
        };
        /**
         * FabricOut
         * @description One network technology instance at a site.
         */
        FabricOut: {
            /**
             * Arp
             * @enum {string}
             */
            arp: "on" | "off" | "none";
            /** Id */
            id: number;
            /** Kind */
            kind: string;
            /** Media Rate */
            media_rate: number;
            /** Mtu */
            mtu: number;
            /** Name */
            name: string;
            /** Ports */
            ports: number;
            /** Title */
            title: string;
            /**
             * Usable Rate
             * @description After encoding and framing, and after the site's rate_scale
             */
            usable_rate: number;
        };
        /**
         * GatewayState
         * @description One gateway of a path, as the node sees it.
         */
        GatewayState: {
            /** Active */
            active: boolean;
            /** Alive */
            alive: boolean | null;
            /** Name */
            name: string;
            /** Node Id */
            node_id: number;
            /**
             * Order
             * @description 0 is the preferred one
             */
            order: number;
            /** Rtt Ms */
            rtt_ms: number | null;
        };
        /**
         * Health
         * @description Whether this process can do its work.
         */
        Health: {
            /** Database */
            database: boolean;
            /** Redis */
            redis: boolean;
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "degraded";
            /** Version */
            version: string;
            /**
             * Worker Seen S
             * @description Seconds since a worker last finished a round
             */
            worker_seen_s: number | null;
        };
        /**
         * IncidentOut
         * @description One thing wrong with one object, from first seen to resolved.
         */
        IncidentOut: {
            /** Acknowledged At */
            acknowledged_at: string | null;
            /** Acknowledged By */
            acknowledged_by: string | null;
            /** Age S */
            age_s: number;
            /**
             * Cause Id
             * @description The incident that explains this one
             */
            cause_id: number | null;
            /** Comment */
            comment: string;
            /** Detail */
            detail: string;
            /** Direction */
            direction: ("forward" | "back") | null;
            /** Id */
            id: number;
            /**
             * Kind
             * @description The rule: saturation, gateway_failed_over, node_stale, port_down, path_dead
             */
            kind: string;
            /**
             * Last Seen
             * Format: date-time
             */
            last_seen: string;
            /** Link Id */
            link_id: number | null;
            /**
             * Name
             * @description The object: link, node or path
             */
            name: string;
            /** Node Id */
            node_id: number | null;
            /** Path Ids */
            path_ids: number[];
            /**
             * Phase
             * @enum {string}
             */
            phase: "open" | "acknowledged" | "resolved";
            /** Resolved At */
            resolved_at: string | null;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** Threshold */
            threshold: number | null;
            /** Title */
            title: string;
            /** Url */
            url: string;
            /**
             * Value
             * @description The figure that opened it, e.g. utilisation
             */
            value: number | null;
        };
        /**
         * LinkEnd
         * @description One end of a link.
         */
        LinkEnd: {
            /** Node */
            node: string;
            /** Node Id */
            node_id: number | null;
            /** Port */
            port: string | null;
            /** Port Id */
            port_id: number | null;
            /** Url */
            url: string;
        };
        /**
         * LinkHistory
         * @description A link's load over time: parallel lists, one entry a bin, oldest first.
         *
         *     A null figure is a gap: nothing was heard, and nothing is interpolated. `mean`, `max` (busiest second
         *     where the source measures it, else the busiest interval) in bit/s; p95 over 5-minute bins of the range.
         */
        LinkHistory: {
            /**
             * At
             * @description Unix seconds of each bin's start
             */
            at: number[];
            /** Back Max */
            back_max: (number | null)[];
            /** Back Mean */
            back_mean: (number | null)[];
            /** Back P95 */
            back_p95: number | null;
            /** Forward Max */
            forward_max: (number | null)[];
            /** Forward Mean */
            forward_mean: (number | null)[];
            /** Forward P95 */
            forward_p95: number | null;
            /**
             * Measured At
             * @description The port whose counters these are
             */
            measured_at: string;
            /**
             * Resets
             * @description Unix seconds at which a counter restarted
             */
            resets: number[];
            /** Step S */
            step_s: number;
            /** Usable Rate */
            usable_rate: number;
        };
        /**
         * LinkLoad
         * @description One link's load in a live message.
         */
        LinkLoad: {
            back: components["schemas"]["Load"] | null;
            forward: components["schemas"]["Load"] | null;
            /** Id */
            id: number;
        };
        /**
         * LinkOut
         * @description A link with its ends, its load and what it is for.
         */
        LinkOut: {
            /** Age S */
            age_s: number | null;
            back: components["schemas"]["Load"] | null;
            /**
             * Carries
             * @enum {string}
             */
            carries: "active" | "standby" | "dead" | "none";
            /** Circuit */
            circuit: string;
            /** Evidence */
            evidence: components["schemas"]["Evidence"][];
            /** Fabric */
            fabric: string;
            forward: components["schemas"]["Load"] | null;
            /** Id */
            id: number;
            /** Incidents */
            incidents: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "link" | "circuit" | "medium";
            /** Media Rate */
            media_rate: number;
            /** Mtu */
            mtu: number;
            /** Name */
            name: string;
            /** Since */
            since: string | null;
            source: components["schemas"]["LinkEnd"];
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            target: components["schemas"]["LinkEnd"];
            /** Url */
            url: string;
            /** Usable Rate */
            usable_rate: number;
        };
        /**
         * LiveMessage
         * @description What `GET /live` sends: SSE `event:` is `type`, `data:` this object, `id:` resumes after a break.
         *
         *     load: `links` whose figures changed. changed: something else did, so refetch `nouns` (e.g. `incidents`).
         *     event: one new event. gap: the stream cannot resume from the given id; refetch everything.
         */
        LiveMessage: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            event?: components["schemas"]["EventOut"] | null;
            /** Links */
            links?: components["schemas"]["LinkLoad"][];
            /** Nouns */
            nouns?: string[];
            /** Site */
            site: string;
            /**
             * Type
             * @enum {string}
             */
            type: "load" | "changed" | "event" | "gap" | "hello";
        };
        /**
         * Load
         * @description Traffic in one direction, from the newest sample of either end.
         */
        Load: {
            /**
             * At
             * Format: date-time
             * @description End of the interval
             */
            at: string;
            /** Bps */
            bps: number;
            /**
             * Fresh
             * @description False when older than two intervals
             */
            fresh: boolean;
            /**
             * Peak Bps
             * @description Busiest second of the interval, where the source measures it
             */
            peak_bps?: number | null;
            /**
             * Utilisation
             * @description 0..1 of the usable rate; may pass 1 by measuring error
             */
            utilisation: number;
        };
        /**
         * NodeOut
         * @description A node: anything with ports.
         */
        NodeOut: {
            /** Age S */
            age_s: number | null;
            /**
             * Agent
             * @description Name of the agent that watches it
             */
            agent: string | null;
            /**
             * Clock Offset S
             * @description Its clock minus ours
             */
            clock_offset_s: number | null;
            /** Id */
            id: number;
            /** Kind */
            kind: string;
            /** Labels */
            labels: {
                [key: string]: string;
            };
            /** Management Address */
            management_address: string | null;
            /** Name */
            name: string;
            /** Node Number */
            node_number: number | null;
            /** Role */
            role: string;
            /** Since */
            since: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Switch Node Number */
            switch_node_number: number | null;
            /** Sys Descr */
            sys_descr: string;
            /** Sys Name */
            sys_name: string;
            /** Title */
            title: string;
            /** Uptime S */
            uptime_s: number | null;
            /** Url */
            url: string;
        };
        /**
         * Overview
         * @description The first page in one request.
         */
        Overview: {
            /** Answers */
            answers: components["schemas"]["OverviewAnswer"][];
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Headline */
            headline: string;
            /** Open Incidents */
            open_incidents: number;
            /** Paths On Fallback */
            paths_on_fallback: number;
            /** Paths Total */
            paths_total: number;
            site: components["schemas"]["SiteOut"];
            /** Top Links */
            top_links: components["schemas"]["LinkOut"][];
        };
        /**
         * OverviewAnswer
         * @description One of the five questions, its answer and where to see all of it.
         */
        OverviewAnswer: {
            /** Items */
            items: components["schemas"]["OverviewItem"][];
            /**
             * Question
             * @enum {string}
             */
            question: "broken" | "nearly_full" | "just_changed" | "to_confirm" | "out_of_sight";
            /** Total */
            total: number;
            /** Url */
            url: string;
        };
        /**
         * OverviewItem
         * @description One line of one of the five answers.
         */
        OverviewItem: {
            /** Detail */
            detail: string;
            /** Since */
            since: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
        /** Page[AgentOut] */
        Page_AgentOut_: {
            /** Items */
            items: components["schemas"]["AgentOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[EventOut] */
        Page_EventOut_: {
            /** Items */
            items: components["schemas"]["EventOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[FabricOut] */
        Page_FabricOut_: {
            /** Items */
            items: components["schemas"]["FabricOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[IncidentOut] */
        Page_IncidentOut_: {
            /** Items */
            items: components["schemas"]["IncidentOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[LinkOut] */
        Page_LinkOut_: {
            /** Items */
            items: components["schemas"]["LinkOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[NodeOut] */
        Page_NodeOut_: {
            /** Items */
            items: components["schemas"]["NodeOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[PathOut] */
        Page_PathOut_: {
            /** Items */
            items: components["schemas"]["PathOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[PolicyOut] */
        Page_PolicyOut_: {
            /** Items */
            items: components["schemas"]["PolicyOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[PortOut] */
        Page_PortOut_: {
            /** Items */
            items: components["schemas"]["PortOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[SiteOut] */
        Page_SiteOut_: {
            /** Items */
            items: components["schemas"]["SiteOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /**
         * PathOut
         * @description How one node reaches one policy's prefix right now, by observation.
         */
        PathOut: {
            /**
             * Active
             * @description Gateway in use; empty when there is no route
             */
            active: string;
            /** Age S */
            age_s: number | null;
            /** Gateways */
            gateways: components["schemas"]["GatewayState"][];
            /**
             * Hops
             * @description Topology keys from the node to the active gateway and beyond
             */
            hops: string[];
            /** Id */
            id: number;
            /**
             * Kind
             * @default path
             * @constant
             */
            kind: "path";
            /** Last Outage Ms */
            last_outage_ms: number | null;
            /**
             * Links
             * @description Ids of the links along the active path
             */
            links: number[];
            /** Name */
            name: string;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** On Fallback */
            on_fallback: boolean;
            /** Policy */
            policy: string;
            /** Policy Id */
            policy_id: number;
            /** Preferred */
            preferred: string;
            /** Prefix */
            prefix: string;
            /** Rtt Ms */
            rtt_ms: number | null;
            /** Since */
            since: string | null;
            /**
             * Standby Links
             * @description Ids of the links that only a standby gateway would use
             */
            standby_links: number[];
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Switches 24H */
            switches_24h: number;
            /** Target */
            target: string | null;
            /** Target Alive */
            target_alive: boolean | null;
            /** Url */
            url: string;
        };
        /**
         * Person
         * @description Who is signed in, and what they may do.
         */
        Person: {
            /** Csrf Token */
            csrf_token: string;
            /** Name */
            name: string;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "operator" | "approver" | "admin";
            /** Username */
            username: string;
        };
        /**
         * PolicyOut
         * @description A failover policy as the site wants it.
         */
        PolicyOut: {
            /**
             * Detection
             * @enum {string}
             */
            detection: "checker" | "bfd" | "protocol";
            /** Gateways */
            gateways: string[];
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Nodes */
            nodes: string[];
            /** Note */
            note: string;
            /** Prefix */
            prefix: string;
            /** Probe Interval Ms */
            probe_interval_ms: number;
            /** Target */
            target: string | null;
        };
        /**
         * PortOut
         * @description One attachment of a node to a fabric.
         */
        PortOut: {
            /** Addresses */
            addresses: string[];
            /** Age S */
            age_s: number | null;
            /** Fabric */
            fabric: string | null;
            /** Id */
            id: number;
            /** If Type */
            if_type: number;
            /** In Bps */
            in_bps: number | null;
            /** In Errors Ps */
            in_errors_ps: number | null;
            /** In Utilisation */
            in_utilisation: number | null;
            /**
             * Kind
             * @description The fabric's technology, or `management`
             */
            kind: string;
            /** Link Id */
            link_id: number | null;
            /** Mac */
            mac: string;
            /** Mtu */
            mtu: number;
            /** Name */
            name: string;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Out Bps */
            out_bps: number | null;
            /** Out Errors Ps */
            out_errors_ps: number | null;
            /** Out Utilisation */
            out_utilisation: number | null;
            /** Since */
            since: string | null;
            /**
             * Speed
             * @description As the device reports it, bit/s
             */
            speed: number;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Url */
            url: string;
            /** Usable Rate */
            usable_rate: number;
            /**
             * Utilisation
             * @description The greater of in and out
             */
            utilisation: number | null;
        };
        /**
         * Problem
         * @description Every error, whatever the status.
         */
        Problem: {
            /** Code */
            code: string;
            /** Fields */
            fields?: {
                [key: string]: string;
            };
            /**
             * Message
             * @description What went wrong and the next step
             */
            message: string;
        };
        /**
         * SignIn
         * @description Body of `POST /session`.
         */
        SignIn: {
            /** Password */
            password: string;
            /** Username */
            username: string;
        };
        /**
         * SiteFileIn
         * @description Body of `POST /site-files`: the YAML text itself.
         */
        SiteFileIn: {
            /**
             * Dry Run
             * @default false
             */
            dry_run: boolean;
            /**
             * Name
             * @description File name used in messages
             * @default site.yaml
             */
            name: string;
            /** Text */
            text: string;
        };
        /**
         * SiteFileMistake
         * @description One mistake in a site file.
         */
        SiteFileMistake: {
            /** Expected */
            expected: string;
            /** File */
            file: string;
            /** Key */
            key: string;
            /** Line */
            line: number;
        };
        /**
         * SiteFileRefused
         * @description A site file with mistakes: nothing was imported.
         */
        SiteFileRefused: {
            /** Code */
            code: string;
            /** Fields */
            fields?: {
                [key: string]: string;
            };
            /**
             * Message
             * @description What went wrong and the next step
             */
            message: string;
            /** Mistakes */
            mistakes: components["schemas"]["SiteFileMistake"][];
        };
        /**
         * SiteFileReport
         * @description What an import did, or would do.
         */
        SiteFileReport: {
            /** Changed */
            changed: number;
            /** Created */
            created: number;
            /** Removed */
            removed: number;
            /** Site */
            site: string;
            /** Unchanged */
            unchanged: number;
        };
        /**
         * SiteOut
         * @description One cluster's networks under one set of operators.
         */
        SiteOut: {
            /** Id */
            id: number;
            /**
             * Imported At
             * Format: date-time
             */
            imported_at: string;
            /** Interval S */
            interval_s: number;
            /** Name */
            name: string;
            /**
             * Rate Scale
             * @description Lab only: rates on the wire are the real ones times this; 1 on a real site
             */
            rate_scale: number;
            /** Title */
            title: string;
        };
        /**
         * Topology
         * @description The site as a graph with live load.
         */
        Topology: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Links */
            links: components["schemas"]["TopologyLink"][];
            /** Nodes */
            nodes: components["schemas"]["TopologyNode"][];
            site: components["schemas"]["SiteOut"];
            /**
             * Version
             * @description Changes when nodes or links do, not when load does
             */
            version: string;
        };
        /**
         * TopologyLink
         * @description Two ports joined, or a port and its fabric's shared medium.
         */
        TopologyLink: {
            back: components["schemas"]["Load"] | null;
            /**
             * Carries
             * @description What failover policies make of it: on an active path, on a standby path only, on a path that is dead
             * @enum {string}
             */
            carries: "active" | "standby" | "dead" | "none";
            /** Circuit */
            circuit: string;
            /** Fabric */
            fabric: string;
            forward: components["schemas"]["Load"] | null;
            /** Id */
            id: number;
            /** Incidents */
            incidents: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "link" | "circuit" | "medium";
            /** Name */
            name: string;
            /** Source */
            source: string;
            /** Source Port */
            source_port: string;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Target */
            target: string;
            /** Target Port */
            target_port: string | null;
            /** Url */
            url: string;
            /** Usable Rate */
            usable_rate: number;
        };
        /**
         * TopologyNode
         * @description A node, or a shared fabric drawn as a node.
         */
        TopologyNode: {
            /**
             * Age S
             * @description Seconds since it was last heard; null when never
             */
            age_s: number | null;
            /** Id */
            id: number;
            /** Incidents */
            incidents: number;
            /**
             * Key
             * @description `node:<id>` or `fabric:<id>`, the end points of links
             */
            key: string;
            /**
             * Kind
             * @description host, switch, router, gateway, or fabric
             */
            kind: string;
            /** Name */
            name: string;
            /**
             * Role
             * @description compute, server, gateway, router; a fabric's technology
             */
            role: string;
            /** Since */
            since: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /**
             * State Text
             * @description The state in words: `heard 1 s ago`, `silent for 40 s`
             */
            state_text: string;
            /**
             * Tier
             * @description Left to right: 0 cluster, 1 fabric, 2 gateways, 3 outside
             */
            tier: number;
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_agents: {
        parameters: {
            query?: {
                cursor?: string | null;
                limit?: number;
                q?: string | null;
                site?: string | null;
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AgentOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_enrolment_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolmentTokenIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolmentTokenOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_events: {
        parameters: {
            query?: {
                cursor?: string | null;
                end?: string | null;
                incident_id?: number | null;
                kind?: ("path.switched" | "path.lost" | "path.dead" | "path.restored" | "port.down" | "port.up" | "node.stale" | "node.heard" | "node.restarted" | "incident.opened" | "incident.resolved" | "incident.acknowledged" | "agent.enrolled" | "site.imported" | "clock.stepped" | "spool.dropped") | null;
                limit?: number;
                link_id?: number | null;
                node?: string | null;
                q?: string | null;
                site?: string | null;
                sort?: string | null;
                start?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_EventOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_fabrics: {
        parameters: {
            query?: {
                cursor?: string | null;
                limit?: number;
                q?: string | null;
                site?: string | null;
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_FabricOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_failover_policies: {
        parameters: {
            query?: {
                cursor?: string | null;
                limit?: number;
                q?: string | null;
                site?: string | null;
                sort?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_PolicyOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    list_incidents: {
        parameters: {
            query?: {
                cursor?: string | null;
                kind?: string | null;
                limit?: number;
                link_id?: number | null;
                node?: string | null;
                phase?: ("open" | "acknowledged" | "resolved" | "current") | null;
                q?: string | null;
                site?: string | null;
                sort?: string | null;
                state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_IncidentOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_incident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentOut"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    acknowledge_incident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Acknowledge"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentOut"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_links: {
        parameters: {
            query?: {
                cursor?: string | null;
                fabric?: string | null;
                limit?: number;
                node?: string | null;
                q?: string | null;
                site?: string | null;
                sort?: string | null;
                state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_LinkOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkOut"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_link_history: {
        parameters: {
            query?: {
                end?: string;
                points?: number;
                start?: string;
            };
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkHistory"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    live: {
        parameters: {
            query?: {
                site?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LiveMessage"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_nodes: {
        parameters: {
            query?: {
                cursor?: string | null;
                kind?: string | null;
                limit?: number;
                q?: string | null;
                site?: string | null;
                sort?: string | null;
                state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_NodeOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_node: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeOut"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_overview: {
        parameters: {
            query?: {
                site?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_paths: {
        parameters: {
            query?: {
                cursor?: string | null;
                limit?: number;
                node?: string | null;
                policy?: string | null;
                q?: string | null;
                site?: string | null;
                sort?: string | null;
                state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_PathOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_path: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PathOut"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_ports: {
        parameters: {
            query?: {
                cursor?: string | null;
                fabric?: string | null;
                limit?: number;
                node?: string | null;
                q?: string | null;
                site?: string | null;
                sort?: string | null;
                state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_PortOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_port: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortOut"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Person"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Too Many Requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    import_site_file: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SiteFileIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteFileReport"];
                };
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unprocessable Entity */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SiteFileRefused"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_sites: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SiteOut_"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
    get_topology: {
        parameters: {
            query?: {
                site?: string | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Topology"];
                };
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Bad Request */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Unauthorized */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
