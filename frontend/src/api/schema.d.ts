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
         * @description A site's agents, including revoked ones.
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
         * @description Revoke an agent's access; takes effect within a minute. Needs admin at its site.
         */
        post: operations["revoke_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alertmanager": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive Alerts
         * @description Open, update and resolve incidents from Alertmanager's webhook (version 4). Needs operator at the site.
         *
         *     The body is the one that Alertmanager sends: unknown fields and unprintable characters are no errors, and
         *     the same alert twice changes nothing.
         */
        post: operations["receive_alerts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Alive
         * @description Whether the web process answers; this does not check the service.
         */
        get: operations["get_alive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/arp-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Arp Policies
         * @description ARP policies, at most one per fabric.
         */
        get: operations["list_arp_policies"];
        put?: never;
        /**
         * Create Arp Policy
         * @description Create a fabric's policy; a change of kind `arp` deploys it. Needs operator.
         */
        post: operations["create_arp_policy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/arp-policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Arp Policy
         * @description One policy and its deployment.
         */
        get: operations["get_arp_policy"];
        /**
         * Update Arp Policy
         * @description Replace a policy; nodes keep their settings until a change deploys it. Needs operator at the site.
         */
        put: operations["update_arp_policy"];
        post?: never;
        /**
         * Delete Arp Policy
         * @description Delete a policy that no node has in force. Needs operator at the site.
         */
        delete: operations["delete_arp_policy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/arp-policies/fabrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Arp Fabrics
         * @description Fabrics with the ARP mode of their nodes; for a mixed fabric, the nodes by mode.
         */
        get: operations["list_arp_fabrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/arp-policies/rule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Arp Rule
         * @description The address rule: host part minus switch node number is the same for every node and extension node.
         */
        get: operations["get_arp_rule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/arp-policies/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Arp Settings
         * @description Settings that a policy may contain, with their bounds; node-wide settings last.
         */
        get: operations["list_arp_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calendar-feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Calendar Feeds
         * @description A site's calendar feeds, without their addresses.
         */
        get: operations["list_calendar_feeds"];
        put?: never;
        /**
         * Create Calendar Feed
         * @description A secret address at which calendars read the site's windows. Needs operator at the site.
         */
        post: operations["create_calendar_feed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calendar-feeds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Calendar Feed
         * @description Delete a feed: its address stops working. Needs operator at the site.
         */
        delete: operations["delete_calendar_feed"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calendars/{token}.ics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Calendar
         * @description The windows of a site as iCalendar; whoever knows the address may read it.
         */
        get: operations["get_calendar"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Changes
         * @description A site's changes, newest first; `state=current`: those that have not ended.
         */
        get: operations["list_changes"];
        put?: never;
        /**
         * Create Change
         * @description Create a change; it is planned at once. Needs operator at the site.
         */
        post: operations["create_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Change
         * @description One change with its plan, nodes and history; `plan=false`: without the plan, to follow its progress.
         */
        get: operations["get_change"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply Change
         * @description Start the change: all nodes prepare, then it is applied wave by wave under guard. Needs operator.
         */
        post: operations["apply_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve Change
         * @description Approve the plan. Needs approver; where the site requires two people, not the author.
         */
        post: operations["approve_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm Change
         * @description Confirm the waiting wave: its nodes save the new state, and the next wave starts. Needs operator.
         */
        post: operations["confirm_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/discard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Discard Change
         * @description Discard the change. Needs operator.
         */
        post: operations["discard_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/nodes/{node_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Change Node
         * @description One node of a change that has started, with all evidence and its state before and after.
         */
        get: operations["get_change_node"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan Change
         * @description Plan the change again from the current state; earlier approvals lapse. Needs operator.
         */
        post: operations["plan_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/roll-back": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Roll Back Change
         * @description Roll the current wave back; confirmed waves stay. Needs operator.
         */
        post: operations["roll_back_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/changes/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo Change
         * @description Plan the inverse of a confirmed change, as a new change. Needs operator.
         *
         *     The nodes that keep the change return to their state before it. Refused, with the
         *     reason, while a later change of the same nodes is in force: undo that one first.
         */
        post: operations["undo_change"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Channels
         * @description A site's channels, without secrets.
         */
        get: operations["list_channels"];
        put?: never;
        /**
         * Create Channel
         * @description Create a channel. Needs admin at the site if its kind has secrets, else operator.
         */
        post: operations["create_channel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Channel
         * @description One channel, without secrets.
         */
        get: operations["get_channel"];
        /**
         * Update Channel
         * @description Replace a channel's settings. Needs admin at the site if its kind has secrets, else operator.
         */
        put: operations["update_channel"];
        post?: never;
        /**
         * Delete Channel
         * @description Delete a channel that no route uses; its deliveries are kept. Needs the role that may write it.
         */
        delete: operations["delete_channel"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test Channel
         * @description Send a test message now and return its result. Needs operator at the site.
         */
        post: operations["test_channel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/circuits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Circuits
         * @description PVCs and VLANs; `node`: those that begin, end or pass there.
         */
        get: operations["list_circuits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/circuits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Circuit
         * @description One circuit, hop by hop.
         */
        get: operations["get_circuit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/circuits/hand-over": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hand Over Circuits
         * @description A GigaRouter's gratm.conf with its circuits, for manual installation. Changes nothing.
         */
        post: operations["hand_over_circuits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/circuits/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Circuit History
         * @description Circuits as the site file declared them, removed ones too: the versions of one, or all at a time.
         *
         *     An import that changes hops, labels, shapes, kind or note begins a version.
         */
        get: operations["list_circuit_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/circuits/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Plan Circuits
         * @description Number of circuits for these hosts, alternative methods, and free labels. Stores nothing.
         */
        post: operations["plan_circuits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/clocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Clocks
         * @description Every reported clock, largest offset first. `q` searches node names.
         */
        get: operations["list_clocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Deliveries
         * @description A site's deliveries, newest first. `q` searches targets and reasons of failures.
         */
        get: operations["list_deliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/deliveries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Delivery
         * @description One delivery with its message.
         */
        get: operations["get_delivery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Drift
         * @description Nodes with drift; `only=reboot`: those that a reboot would change. `sort=urgency`: these first, then by
         *     name.
         */
        get: operations["list_drift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Drills
         * @description Scheduled, running and finished drills, newest first.
         */
        get: operations["list_drills"];
        put?: never;
        /**
         * Create Drill
         * @description Start or schedule a failover drill. Needs operator at the site.
         *
         *     A drill that is not possible now is stored with `state` refused and every reason.
         */
        post: operations["create_drill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drills/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Drill
         * @description One drill with the measurements of each node.
         */
        get: operations["get_drill"];
        put?: never;
        post?: never;
        /**
         * Cancel Drill
         * @description Cancel a drill: moved nodes return at once. The drill is kept. Needs operator at the site.
         */
        delete: operations["cancel_drill"];
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
         * @description A one-time token, valid for 15 minutes, that enrols one agent on this node. Needs admin at the site.
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
         * @description A site's events, newest first. `q` searches messages; `start`, `end` as `now-1h`.
         *
         *     `group`: those of one group, with the filters, `first_at` and `last_at` of `GET /events/groups`.
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
    "/api/v1/events/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Event Groups
         * @description A site's events grouped by root cause, the newest first; without one, by object and time.
         *
         *     An incident covers its events from shortly before it opened until shortly after it resolved.
         */
        get: operations["list_event_groups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Exports
         * @description A site's exports, newest first; `state=open`: not ended. `q` searches people.
         */
        get: operations["list_exports"];
        put?: never;
        /**
         * Create Export
         * @description Export history as a file; a worker writes it. Whoever may see the site may export its history.
         *
         *     Limits: 3 exports in progress and 100 in all for each user, and the rows and bytes of docs/exports.md.
         */
        post: operations["create_export"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Export
         * @description One export with its progress.
         */
        get: operations["get_export"];
        put?: never;
        post?: never;
        /**
         * Delete Export
         * @description Delete an export and its file, or cancel it. One's own; those of others need operator at the site.
         */
        delete: operations["delete_export"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Export
         * @description The file of a complete export: CSV, JSON lines or Parquet.
         */
        get: operations["download_export"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/extension-nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Extension Nodes
         * @description Gateways attached to the site's SP switches.
         */
        get: operations["list_extension_nodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/extension-nodes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Extension Node
         * @description One extension node with its attributes; `id` is its node's.
         */
        get: operations["get_extension_node"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/extension-nodes/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check Extension Node
         * @description Proposed attributes of a gateway, with every failed check. Stores nothing.
         */
        post: operations["check_extension_node"];
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
         * @description A site's fabrics with their rates and number of ports.
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
    "/api/v1/fabrics/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Fabric
         * @description One fabric: load, state, and its devices' metrics.
         */
        get: operations["get_fabric"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fabrics/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Fabric History
         * @description A fabric's traffic over time: what its ports received and sent.
         */
        get: operations["get_fabric_history"];
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
         * @description A site's failover policies with their deployment.
         */
        get: operations["list_failover_policies"];
        put?: never;
        /**
         * Create Failover Policy
         * @description Create a policy; a change deploys it. Needs operator at the site.
         */
        post: operations["create_failover_policy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/failover-policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Failover Policy
         * @description One policy and its deployment.
         */
        get: operations["get_failover_policy"];
        /**
         * Update Failover Policy
         * @description Replace a policy; nodes keep their routes until a change deploys it. Needs operator at the site.
         *
         *     A policy of the site file is refused: copy it under another name, or edit the file. With an empty group, a
         *     change that removes its routes from all nodes is planned at once: `removal`.
         */
        put: operations["update_failover_policy"];
        post?: never;
        /**
         * Delete Failover Policy
         * @description Delete a policy with its paths' history. Needs operator at the site.
         *
         *     204: it was not deployed and is deleted. 202 with a change: nodes have it; the change removes its routes
         *     from them, and the policy is deleted when that change is done. A policy of the site file stays until the
         *     file drops it.
         */
        delete: operations["delete_failover_policy"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/failover-policies/{id}/outages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Policy Outages
         * @description Outage time of a policy's paths by day or month in UTC, clipped to the range.
         */
        get: operations["list_policy_outages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/failover-policies/group-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview Group
         * @description Nodes that currently match a policy's group. Stores nothing.
         */
        post: operations["preview_group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/failover-policies/stripe-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview Stripe
         * @description Nodes of a stripe by gateway, and the impact of each gateway's failure. Stores nothing.
         */
        post: operations["preview_stripe"];
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
         * @description Whether the service works, within 3 s: 503 if pages, reports or rules fail; `failures` names them.
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
    "/api/v1/hippi/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Hippi Report
         * @description Blocking factor, rejects, camp-on per port, and the hold time h.
         */
        get: operations["get_hippi_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/holds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Holds
         * @description A site's holds, newest first; `state=open`: those in effect. `q` searches nodes, people and reasons.
         */
        get: operations["list_holds"];
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
         * @description A site's incidents, newest first; `phase=current`: open or acknowledged.
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
         * @description One incident with its evidence, comments, and what happened around it.
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
         * @description Acknowledge an open incident. Needs operator at the site.
         */
        post: operations["acknowledge_incident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/incidents/{id}/assign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign Incident
         * @description Give an unresolved incident an owner, who needs a role at the site. Needs operator at the site.
         */
        post: operations["assign_incident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/incidents/{id}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Comment Incident
         * @description Write a comment about an incident, also a resolved one. Needs operator at the site.
         */
        post: operations["comment_incident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/incidents/{id}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Snooze Incident
         * @description Send no notifications of an unresolved incident for a time. Needs operator at the site.
         *
         *     It stays open and counted; when it becomes critical meanwhile, the snooze ends.
         */
        post: operations["snooze_incident"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/incidents/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bulk Incidents
         * @description Acknowledge, snooze or assign exactly the incidents that the user saw. Needs operator at the site.
         *
         *     409 if the filters select other incidents now than `count` and `digest` name; then nothing is done.
         */
        post: operations["bulk_incidents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/incidents/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Incident Summary
         * @description Number of a site's incidents with the filters of a list, and what it may hide.
         */
        get: operations["get_incident_summary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/infiniband/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Infiniband Health
         * @description Degraded links, error rates over 12 and 125 minutes, and the cables to swap with the reasons.
         */
        get: operations["get_infiniband_health"];
        put?: never;
        post?: never;
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
         * @description A site's links with load in both directions. `utilisation` sorts by the larger direction.
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
         * @description A link's load over time, from the end with the most samples in the range.
         *
         *     `baseline`: also the usual load by the hour of the week.
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
    "/api/v1/maintenance-windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Maintenance Windows
         * @description A site's windows, the next one first; those that are over come last.
         */
        get: operations["list_maintenance_windows"];
        put?: never;
        /**
         * Create Maintenance Window
         * @description Plan a window, once or recurring. Needs operator at the site.
         */
        post: operations["create_maintenance_window"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/maintenance-windows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Maintenance Window
         * @description One window with its next occurrences and what it covers.
         */
        get: operations["get_maintenance_window"];
        /**
         * Update Maintenance Window
         * @description Replace a window; it takes effect at once. Needs operator at the site.
         */
        put: operations["update_maintenance_window"];
        post?: never;
        /**
         * Delete Maintenance Window
         * @description Delete a window; one that takes place now ends. Needs operator at the site.
         */
        delete: operations["delete_maintenance_window"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/maintenance-windows/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End Maintenance Window
         * @description End the occurrence that takes place now; later ones stay. Needs operator at the site.
         */
        post: operations["end_maintenance_window"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/maintenance-windows/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Maintenance Windows
         * @description Windows from an iCalendar file, all with the same objects. Needs operator at the site.
         *
         *     An event that was imported before (by its UID) changes its window. Events that cannot be imported are
         *     listed with the reason.
         */
        post: operations["import_maintenance_windows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metric-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Metric Limits
         * @description A site's limits on device metrics.
         */
        get: operations["list_metric_limits"];
        put?: never;
        /**
         * Create Metric Limit
         * @description Create a limit on a device metric. Needs operator at the site.
         */
        post: operations["create_metric_limit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metric-limits/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Metric Limit
         * @description One limit on a device metric.
         */
        get: operations["get_metric_limit"];
        /**
         * Update Metric Limit
         * @description Replace a limit on a device metric; its incidents follow the new values. Needs operator at the site.
         */
        put: operations["update_metric_limit"];
        post?: never;
        /**
         * Delete Metric Limit
         * @description Delete a limit on a device metric; its incidents resolve. Needs operator at the site.
         */
        delete: operations["delete_metric_limit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metric-limits/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview Metric Limit
         * @description How often a limit would have opened an incident in the last 7 days. Stores nothing.
         */
        post: operations["preview_metric_limit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Metrics
         * @description Every metric other than traffic, with its description. `family` is the part before the dot.
         */
        get: operations["list_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/neighbours": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Neighbours
         * @description Current entries of all tables; filters are exact. `mac` in any notation.
         */
        get: operations["list_neighbours"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/neighbours/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Duplicates
         * @description Addresses that currently have several hardware addresses on one fabric.
         */
        get: operations["list_duplicates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/neighbours/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Neighbour History
         * @description Owners of an address over time, from all tables of the site; `at=now-1h`: at that time.
         */
        get: operations["get_neighbour_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/neighbours/tables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Neighbour Tables
         * @description Entries per port, the device's capacity, and the main sources of growth.
         */
        get: operations["list_neighbour_tables"];
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
         * @description A site's nodes with their state. `q` searches names and titles.
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
    "/api/v1/nodes/{id}/collectors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Node Collectors
         * @description The collectors of one node and their last reported runs. `q` searches names and details.
         */
        get: operations["list_node_collectors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Hold Node
         * @description Leave a node's managed routes to an operator for a limited time. Needs operator at the site.
         *
         *     The checker neither restores routes nor fails over there until the hold ends; changes of the node are
         *     blocked. Refused if the node is not managed, does not report, is held already, or if a change or a move is
         *     in progress there.
         */
        post: operations["hold_node"];
        /**
         * End Hold
         * @description End the node's hold now; the checker restores its routes. Needs operator at the site.
         */
        delete: operations["end_hold"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{id}/manage-again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Manage Node Again
         * @description Resume the management of a node that was released or reverted a change. Needs operator.
         *
         *     Nothing is installed: a policy returns with the next change that is confirmed on the node.
         */
        post: operations["manage_node_again"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{id}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Device Metrics
         * @description Device metrics other than traffic. `q` searches parts, names and titles.
         */
        get: operations["list_device_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{id}/metrics/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Device Metric History
         * @description One metric over time: the growth per second of a counter, otherwise the level.
         */
        get: operations["get_device_metric_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/nodes/{id}/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Recordings
         * @description The recordings of a device, newest first. `q` searches people.
         */
        get: operations["list_recordings"];
        put?: never;
        /**
         * Record Device
         * @description Ask the device's agent for a recording of what the device returns. Needs operator at the site.
         *
         *     The agent replaces names and addresses before it sends the file. Only devices that are read by SNMP; one
         *     recording of a device at a time, and the newest 10 are kept.
         */
        post: operations["record_device"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notification-routes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Notification Routes
         * @description A site's notification routes in the order in which they are tried.
         */
        get: operations["list_notification_routes"];
        put?: never;
        /**
         * Create Notification Route
         * @description Create a route; incidents that last and match are notified. Needs operator at the site.
         */
        post: operations["create_notification_route"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notification-routes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Notification Route
         * @description One notification route.
         */
        get: operations["get_notification_route"];
        /**
         * Update Notification Route
         * @description Replace a route. Needs operator at the site.
         */
        put: operations["update_notification_route"];
        post?: never;
        /**
         * Delete Notification Route
         * @description Delete a route; its deliveries are kept. Needs operator at the site.
         */
        delete: operations["delete_notification_route"];
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
         * @description Five tiles, a headline, the policies' paths and the busiest links, at one point in time.
         *
         *     `start`, `end`: the range of the recent changes, as `now-1h`.
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
    "/api/v1/overview/counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Overview Counts
         * @description Numbers of incidents and of changes awaiting action.
         */
        get: operations["get_overview_counts"];
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
         * @description Paths of each node under each policy: gateway, start time, links.
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
    "/api/v1/paths/{id}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move Path
         * @description Move a path to a gateway for a limited time. Needs operator at the site.
         *
         *     When the time is over, the node returns automatically.
         *
         *     Refused if the gateway is not one of the path's or is down, if Backstay does not manage the node, or if a
         *     change or another move is in progress there.
         */
        post: operations["move_path"];
        /**
         * Return Path
         * @description End the path's move now. Needs operator at the site.
         */
        delete: operations["return_path"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/paths/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Path Timeline
         * @description The path's history as segments, decisions and moves; `since` defaults to a day ago.
         */
        get: operations["get_path_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/paths/timelines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Path Timelines
         * @description Gateways, switches and outages of several paths over one range.
         */
        get: operations["list_path_timelines"];
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
         * @description A site's ports with current state and load; `q` searches `node:port`.
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
    "/api/v1/ports/{id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Port Rules
         * @description The effective settings of a port, of every rule, and where each value comes from.
         */
        get: operations["list_port_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recordings/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Recording
         * @description One recording with its state.
         */
        get: operations["get_recording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recordings/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Recording
         * @description The file, in snmpsim's format: `backstay-agent read` replays it.
         */
        get: operations["download_recording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rule-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Rules
         * @description Everything that is set at a site, as the sections `rules` and `metric_limits` of its file.
         */
        get: operations["export_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rule-overrides/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete Rule Override
         * @description Delete an override. Needs operator at the site.
         */
        delete: operations["delete_rule_override"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Rules
         * @description All rules with their settings at a site; `q` searches kinds, titles and summaries.
         */
        get: operations["list_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Rule
         * @description One rule with its settings at a site.
         */
        get: operations["get_rule"];
        /**
         * Update Rule
         * @description Replace a rule's settings for the whole site. Needs operator at the site.
         */
        put: operations["update_rule"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/{kind}/overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Rule Overrides
         * @description A rule's overrides for parts of a site, the most specific first.
         */
        get: operations["list_rule_overrides"];
        put?: never;
        /**
         * Create Rule Override
         * @description Create an override for a part of a site, or replace the one with the same scope and match.
         *
         *     Needs operator at the site.
         */
        post: operations["create_rule_override"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/{kind}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get Rule Preview
         * @description How often a rule would have opened an incident in the last 7 days with an override. Stores nothing.
         *
         *     With scope `site`: the settings of the whole site. Takes up to ten seconds at a large site.
         */
        post: operations["preview_rule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/{kind}/unmeasured": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Unmeasured
         * @description Objects whose capacity or value a rule does not know: it never alarms for them.
         */
        get: operations["list_unmeasured"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/saved-state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Saved State
         * @description Each monitored node: running and saved MTU, state and addresses of its ports, and manual steps.
         *     Routes and ARP that Backstay manages are under `/drift`.
         */
        get: operations["list_saved_state"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Schedules
         * @description A site's on-call schedules, with who is on call.
         */
        get: operations["list_schedules"];
        put?: never;
        /**
         * Create Schedule
         * @description Create a schedule. Needs operator at the site.
         */
        post: operations["create_schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Schedule
         * @description One schedule, with who is on call.
         */
        get: operations["get_schedule"];
        /**
         * Update Schedule
         * @description Replace a schedule. Needs operator at the site.
         */
        put: operations["update_schedule"];
        post?: never;
        /**
         * Delete Schedule
         * @description Delete a schedule that no route uses. Needs operator at the site.
         */
        delete: operations["delete_schedule"];
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
         * @description The signed-in user, the highest role at any site, and the CSRF token for unsafe methods.
         */
        get: operations["get_session"];
        put?: never;
        /**
         * Sign In
         * @description Sign in by name and password; sets the session cookie and the browser's device token.
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
         * @description Reconcile a site with a file, or with `dry_run` report the differences. Needs admin at every site.
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
         * @description The sites that you may see, by name.
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
    "/api/v1/storage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Storage
         * @description Days, size, growth and predicted size of a site's levels of history; when the disks are full.
         */
        get: operations["get_storage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-grids": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Test Grids
         * @description A site's meshes, each from its latest run with results.
         */
        get: operations["list_test_grids"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-grids/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Test Grid
         * @description The mesh of a plan: rates in both directions, and the suspected host.
         */
        get: operations["get_test_grid"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Test Plans
         * @description A site's plans with their latest runs.
         */
        get: operations["list_test_plans"];
        put?: never;
        /**
         * Create Test Plan
         * @description Create a plan; it runs on request or on schedule. Needs operator at the site.
         *
         *     Plans that cannot run are refused: ends without an agent or an address, or a matrix invalid for its kind.
         */
        post: operations["create_test_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-plans/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Test Plan
         * @description One plan with its latest run.
         */
        get: operations["get_test_plan"];
        /**
         * Update Test Plan
         * @description Replace a plan; a run in progress keeps its parameters. Needs operator at the site.
         */
        put: operations["update_test_plan"];
        post?: never;
        /**
         * Delete Test Plan
         * @description Delete a plan without a run in progress; its runs are kept. Needs operator at the site.
         */
        delete: operations["delete_test_plan"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-plans/{id}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run Test Plan
         * @description Run a plan now, or once its resources are free: `waits_for` is the reason. Needs operator.
         */
        post: operations["run_test_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Test Runs
         * @description A site's runs, newest first; `source=paper` lists the papers' tables.
         *
         *     Papers' tables belong to no site and no plan, and all are done: every site lists the same ones, and
         *     `plan` or another `state` lists none.
         */
        get: operations["list_test_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-runs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Test Run
         * @description One run with its cells and verdicts; a paper's table also with the paper's conclusions.
         */
        get: operations["get_test_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-runs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Test Run
         * @description End a run at once: its agents stop. Measurements are kept. Needs operator at the site.
         */
        post: operations["cancel_test_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-runs/{id}/cells/{index}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Test Cell
         * @description One cell with the report of each node.
         */
        get: operations["get_test_cell"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-runs/{id}/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare Test Runs
         * @description Compare two runs cell by cell: which cells are significantly faster or slower.
         */
        get: operations["compare_test_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/test-runs/{id}/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Test Run
         * @description The run as a file: CSV, one line per cell with units in the headings; or JSON, as in this API.
         */
        get: operations["export_test_run"];
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
         * @description Every node, every shared fabric, and every link with its load in both directions.
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
         * ActiveGateway
         * @description A gateway and the number of nodes that use it.
         */
        ActiveGateway: {
            /**
             * Name
             * @description Empty: no route
             */
            name: string;
            /** Nodes */
            nodes: number;
        };
        /**
         * AddressMismatchOut
         * @description A port whose running address differs from the site file.
         */
        AddressMismatchOut: {
            /**
             * Intended
             * @description In the site file, but not running on the node
             */
            intended: string[];
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Port */
            port: string;
            /**
             * Running
             * @description Running, but not in the site file for any port of the node; empty: none
             */
            running: string[];
            /** Text */
            text: string;
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
            /**
             * Reports Refused
             * @description Reports refused since enrolment; a repeated report counts once
             */
            reports_refused: number;
            /**
             * Reports Sanitised
             * @description Reports since enrolment in which characters were replaced or long text was cut
             */
            reports_sanitised: number;
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
         * Alive
         * @description The web process answers.
         */
        Alive: {
            /** Version */
            version: string;
        };
        /**
         * ApplyIn
         * @description Body of `POST /changes/{id}/apply`.
         */
        ApplyIn: {
            /**
             * Auto Confirm
             * @description Confirm each wave as soon as all its probes pass
             * @default false
             */
            auto_confirm: boolean;
            /** Digest */
            digest: string;
            /**
             * Timeout S
             * @description Time until the guards roll back automatically
             * @default 120
             */
            timeout_s: number;
        };
        /**
         * ApprovalOut
         * @description One approval.
         */
        ApprovalOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Comment */
            comment: string;
            /** Digest */
            digest: string;
            /** Person */
            person: string;
        };
        /**
         * ApproveIn
         * @description Body of `POST /changes/{id}/approve`.
         */
        ApproveIn: {
            /**
             * Accept Warnings
             * @default false
             */
            accept_warnings: boolean;
            /**
             * Comment
             * @default
             */
            comment: string;
            /**
             * Digest
             * @description Digest of the reviewed plan
             */
            digest: string;
        };
        /**
         * ArchiveOut
         * @description The archive of closed days, by its manifest and its last run.
         */
        ArchiveOut: {
            /** Bytes */
            bytes: number;
            /**
             * Days
             * @description Days that are archived and verified
             */
            days: number;
            /**
             * Oldest Waiting
             * @description The oldest of them
             */
            oldest_waiting: string | null;
            /**
             * Problems
             * @description What fails, is late or is damaged; the first is in `failures`
             */
            problems: string[];
            /**
             * Succeeded At
             * @description End of the last run without a failure
             */
            succeeded_at: string | null;
            /**
             * Waiting
             * @description Closed days that are not archived yet
             */
            waiting: number;
        };
        /**
         * ArpDifferenceOut
         * @description One property of one port before and after.
         */
        ArpDifferenceOut: {
            /** After */
            after: string;
            /** Before */
            before: string;
            /**
             * Port
             * @description Empty: the whole node
             */
            port: string;
            /**
             * What
             * @description `ARP`, `static entries`, `ipv4.conf.arp_ignore`
             */
            what: string;
        };
        /**
         * ArpEntryOut
         * @description The hardware address of an address on the fabric.
         */
        ArpEntryOut: {
            /** Address */
            address: string;
            /** Mac */
            mac: string;
            /** Node */
            node: string;
            /** Port */
            port: string;
        };
        /**
         * ArpFabricOut
         * @description The ARP state of a fabric as run by its nodes: on for all or off for all; mixed is an error.
         */
        ArpFabricOut: {
            /**
             * Address Mismatches
             * @description Members with an address mismatch
             */
            address_mismatches: components["schemas"]["AddressMismatchOut"][];
            /**
             * Declared
             * @description As declared in the site file
             * @enum {string}
             */
            declared: "on" | "off" | "none";
            /** Fabric */
            fabric: string;
            /** Fabric Id */
            fabric_id: number;
            /** Kind */
            kind: string;
            /** Off */
            off: string[];
            /** On */
            on: string[];
            policy: components["schemas"]["ArpPolicyOut"] | null;
            /**
             * Running
             * @enum {string}
             */
            running: "on" | "off" | "mixed" | "unknown";
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /**
             * Unknown
             * @description Nodes without a report
             */
            unknown: string[];
        };
        /**
         * ArpFabricQuery
         * @description Filters of `list_arp_fabrics`.
         */
        ArpFabricQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Fabric */
            fabric?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * ArpHandedEntryOut
         * @description One entry that a device must have, and the state of its table when the plan was made.
         */
        ArpHandedEntryOut: {
            /** Address */
            address: string;
            /** Found */
            found: string;
            /** Mac */
            mac: string;
            /** Node */
            node: string;
            /**
             * Status
             * @enum {string}
             */
            status: "there" | "missing" | "other_mac" | "not_lasting";
        };
        /**
         * ArpHandOverOut
         * @description Manual steps on a device that Backstay does not change.
         */
        ArpHandOverOut: {
            /** Done */
            done: boolean;
            /** Entries */
            entries: components["schemas"]["ArpHandedEntryOut"][];
            /** Fabric */
            fabric: string;
            /** Node */
            node: string;
            /** Port */
            port: string;
            /** Reminders */
            reminders: string[];
            /** System */
            system: string;
        };
        /**
         * ArpPlanOut
         * @description ARP changes of a plan.
         */
        ArpPlanOut: {
            /**
             * At Once
             * @description ARP is turned on or off, so all nodes change in one wave
             */
            at_once: boolean;
            /** Entries */
            entries: components["schemas"]["ArpEntryOut"][];
            /** Hand Overs */
            hand_overs: components["schemas"]["ArpHandOverOut"][];
            /** Shapes */
            shapes: components["schemas"]["ArpShapeOut"][];
        };
        /**
         * ArpPolicyIn
         * @description Body of `POST /arp-policies` and `PUT /arp-policies/{id}`. Does not change any node.
         */
        ArpPolicyIn: {
            /** Fabric */
            fabric: string;
            /**
             * Mode
             * @description ARP on the whole fabric; unmanaged: only the settings are managed
             * @default unmanaged
             * @enum {string}
             */
            mode: "on" | "off" | "unmanaged";
            /**
             * Note
             * @default
             */
            note: string;
            /**
             * Ports
             * @description Settings of matching ports, which override `settings`; the last match wins
             */
            ports?: components["schemas"]["ArpPortSettings"][];
            /**
             * Settings
             * @description Settings of every port, e.g. `ipv4.conf.arp_ignore`
             */
            settings?: {
                [key: string]: number;
            };
            /** Site */
            site: string;
            /**
             * Table
             * @description Settings of the whole node, e.g. `ipv4.gc_thresh3`
             */
            table?: {
                [key: string]: number;
            };
        };
        /**
         * ArpPolicyOut
         * @description One fabric's policy and its deployment.
         */
        ArpPolicyOut: {
            /**
             * Address Mismatches
             * @description Members with an address mismatch, which prevents turning ARP off
             */
            address_mismatches: components["schemas"]["AddressMismatchOut"][];
            /**
             * Confirmed
             * @description Nodes on which a change deployed its current version
             */
            confirmed: number;
            /** Fabric */
            fabric: string;
            /** Fabric Id */
            fabric_id: number;
            /** Id */
            id: number;
            /**
             * Managed
             * @description Nodes on the fabric whose ARP Backstay manages
             */
            managed: number;
            /**
             * Mode
             * @description ARP on the whole fabric; unmanaged: only the settings are managed
             * @default unmanaged
             * @enum {string}
             */
            mode: "on" | "off" | "unmanaged";
            /**
             * Name
             * @description Name of the fabric
             */
            name: string;
            /**
             * Not Managed
             * @description Nodes on the fabric that must be configured manually
             */
            not_managed: string[];
            /**
             * Note
             * @default
             */
            note: string;
            /**
             * Outdated
             * @description Nodes on which an older policy is in force
             */
            outdated: number;
            /**
             * Ports
             * @description Settings of matching ports, which override `settings`; the last match wins
             */
            ports?: components["schemas"]["ArpPortSettings"][];
            /**
             * Settings
             * @description Settings of every port, e.g. `ipv4.conf.arp_ignore`
             */
            settings?: {
                [key: string]: number;
            };
            /** Site */
            site: string;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /**
             * Table
             * @description Settings of the whole node, e.g. `ipv4.gc_thresh3`
             */
            table?: {
                [key: string]: number;
            };
            /** Url */
            url: string;
        };
        /**
         * ArpPortSettings
         * @description Settings of the ports whose name, or `node:port`, matches a shell pattern.
         */
        ArpPortSettings: {
            /** Pattern */
            pattern: string;
            /** Settings */
            settings?: {
                [key: string]: number;
            };
        };
        /**
         * ArpRuleLine
         * @description One member of a fabric under the address rule.
         */
        ArpRuleLine: {
            /**
             * Address
             * @description The first IPv4 address in the site file; empty: none
             */
            address: string;
            /**
             * Difference
             * @description For verdict address_mismatch: computed from the running address
             */
            difference: number | null;
            /**
             * Extension
             * @description A router attached as an extension node
             */
            extension: boolean;
            /** Host Part */
            host_part: number | null;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Port */
            port: string;
            /**
             * Running
             * @description The IPv4 address running instead; empty: unknown
             */
            running: string;
            /** Switch Node Number */
            switch_node_number: number | null;
            /** Text */
            text: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "obeys" | "breaks" | "twice" | "no_number" | "no_address" | "address_mismatch";
        };
        /**
         * ArpRuleOut
         * @description Host part minus switch node number for one fabric: must be constant for ARP off.
         */
        ArpRuleOut: {
            /**
             * Applies
             * @description True on an SP switch, where addresses are computed
             */
            applies: boolean;
            /** Broken */
            broken: number;
            /** Constant */
            constant: number | null;
            /** Fabric */
            fabric: string;
            /** Kind */
            kind: string;
            /**
             * Lines
             * @description Violations first
             */
            lines: components["schemas"]["ArpRuleLine"][];
            /** Text */
            text: string;
        };
        /**
         * ArpSettingOut
         * @description One setting that a policy may contain.
         */
        ArpSettingOut: {
            /** Greatest */
            greatest: number;
            /** Least */
            least: number;
            /** Name */
            name: string;
            /**
             * Scope
             * @enum {string}
             */
            scope: "port" | "node";
        };
        /**
         * ArpShapeOut
         * @description Nodes with identical changes; each omits its own address from its entries.
         */
        ArpShapeOut: {
            /** Differences */
            differences: components["schemas"]["ArpDifferenceOut"][];
            /**
             * Files
             * @description Files of the first of these nodes
             */
            files: components["schemas"]["FileDiffOut"][];
            /** Nodes */
            nodes: string[];
        };
        /**
         * Assign
         * @description Body of `POST /incidents/{id}/assign`.
         */
        Assign: {
            /**
             * Comment
             * @default
             */
            comment: string;
            /**
             * Owner
             * @description User name; null: nobody
             */
            owner: string | null;
        };
        /**
         * BulkFilter
         * @description Filters as of `list_incidents`.
         */
        BulkFilter: {
            /** Cause Id */
            cause_id?: number | null;
            /** Has Owner */
            has_owner?: boolean | null;
            /** Kind */
            kind?: ("reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed") | null;
            /** Link Id */
            link_id?: number | null;
            /** Muted */
            muted?: boolean | null;
            /** Node */
            node?: string | null;
            /** Owner */
            owner?: string | null;
            /** Phase */
            phase?: ("open" | "acknowledged" | "resolved" | "current") | null;
            /** Q */
            q?: string | null;
            /** Root */
            root?: boolean | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
        };
        /**
         * BulkIn
         * @description Body of `POST /incidents/bulk`: exactly the incidents that the user saw.
         */
        BulkIn: {
            /**
             * Action
             * @enum {string}
             */
            action: "acknowledge" | "snooze" | "assign";
            /**
             * Comment
             * @default
             */
            comment: string;
            /**
             * Count
             * @description `count` of the summary that the user saw
             */
            count: number;
            /**
             * Digest
             * @description `digest` of the summary that the user saw
             */
            digest: string;
            filter: components["schemas"]["BulkFilter"];
            /**
             * For S
             * @description Of a snooze, instead of `until`
             */
            for_s?: number | null;
            /**
             * Owner
             * @description Of an assignment; null: nobody
             */
            owner?: string | null;
            /** Site */
            site: string;
            /**
             * Until
             * @description Of a snooze; null with `for_s` null ends it
             */
            until?: string | null;
        };
        /**
         * BulkOut
         * @description What a bulk action did.
         */
        BulkOut: {
            /** Changed */
            changed: number;
            /**
             * Unchanged
             * @description Resolved, or for an acknowledgement not open
             */
            unchanged: number;
        };
        /**
         * CableVerdict
         * @description One cable that needs attention, with the reasons.
         */
        CableVerdict: {
            /**
             * Action
             * @enum {string}
             */
            action: "recable" | "swap" | "watch";
            /** Link Id */
            link_id: number | null;
            /** Name */
            name: string;
            /** Reasons */
            reasons: string[];
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** Url */
            url: string;
        };
        /**
         * CalendarEventOut
         * @description An event of a file that can become a window.
         */
        CalendarEventOut: {
            /** Name */
            name: string;
            /** Rule */
            rule: string;
            /** Uid */
            uid: string;
            /** Upcoming */
            upcoming: components["schemas"]["OccurrenceOut"][];
            /** Zone */
            zone: string;
        };
        /**
         * CalendarFeedIn
         * @description Body of `POST /calendar-feeds`.
         */
        CalendarFeedIn: {
            /** Name */
            name: string;
            /** Site */
            site: string;
        };
        /**
         * CalendarFeedOut
         * @description A secret address at which calendars read the site's windows.
         */
        CalendarFeedOut: {
            /** Author */
            author: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Site */
            site: string;
        };
        /**
         * CalendarFileIn
         * @description Body of `POST /maintenance-windows/import`: an iCalendar file for these objects.
         */
        CalendarFileIn: {
            /**
             * Dry Run
             * @default false
             */
            dry_run: boolean;
            /**
             * Mutes Notifications
             * @description Incidents about its objects do not notify
             * @default true
             */
            mutes_notifications: boolean;
            /**
             * Pauses Rules
             * @description No incident opens; those raised before still resolve
             * @default false
             */
            pauses_rules: boolean;
            /**
             * Pauses Tests
             * @description No throughput test starts on its objects
             * @default true
             */
            pauses_tests: boolean;
            /** Site */
            site: string;
            /** Targets */
            targets: components["schemas"]["WindowTarget"][];
            /** Text */
            text: string;
            /**
             * Zone
             * @description Of times without a time zone
             * @default UTC
             */
            zone: string;
        };
        /**
         * CalendarFileOut
         * @description What an import did, or would do.
         */
        CalendarFileOut: {
            /**
             * Changed
             * @description Windows of events that were imported before
             */
            changed: number;
            /** Created */
            created: number;
            /** Events */
            events: components["schemas"]["CalendarEventOut"][];
            /**
             * Problems
             * @description Events that are left out
             */
            problems: components["schemas"]["CalendarProblemOut"][];
        };
        /**
         * CalendarProblemOut
         * @description An event of a file that cannot become a window.
         */
        CalendarProblemOut: {
            /** Name */
            name: string;
            /** Text */
            text: string;
        };
        /**
         * CapacityStepOut
         * @description A usable rate until the next step, or the end of the range.
         */
        CapacityStepOut: {
            /**
             * Start
             * @description Unix seconds
             */
            start: number;
            /**
             * Usable Rate
             * @description bit/s
             */
            usable_rate: number;
        };
        /**
         * CellDifference
         * @description One cell in both runs.
         */
        CellDifference: {
            /** After */
            after: number;
            /** Before */
            before: number;
            /**
             * Change
             * @description After / before - 1
             */
            change: number;
            /**
             * Flows
             * @description Ends in the earlier run; empty: a paper's table
             */
            flows?: components["schemas"]["EndsOut"][];
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "faster" | "slower" | "same";
            parameters: components["schemas"]["ParametersOut"];
        };
        /**
         * CellVerdictOut
         * @description A verdict with its alternatives, most likely first.
         */
        CellVerdictOut: {
            /**
             * Confidence
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /** Evidence */
            evidence: components["schemas"]["VerdictEvidence"][];
            /** Name */
            name: string;
            /** Numbers */
            numbers: {
                [key: string]: number;
            };
            /** Others */
            others: components["schemas"]["VerdictOut"][];
            /**
             * Remedy
             * @description What to do; if inconclusive: what to measure
             */
            remedy: string;
            /** Sentence */
            sentence: string;
            /**
             * Suspect
             * @description The suspected node or hop
             */
            suspect: string;
        };
        /**
         * ChangeDetail
         * @description One change with all details: `GET /changes/{id}`.
         */
        ChangeDetail: {
            /** Age S */
            age_s: number;
            /** Approvals */
            approvals: components["schemas"]["ApprovalOut"][];
            /**
             * Arp Policies
             * @description Identified by their fabrics
             */
            arp_policies?: string[];
            /** Author */
            author: string;
            /**
             * Confirm By
             * @description When the guards roll back; null: no wave awaits confirmation
             */
            confirm_by: string | null;
            /** Confirmed */
            confirmed: number;
            /** History */
            history: components["schemas"]["ChangeStep"][];
            /** Id */
            id: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "policies" | "arp" | "restore" | "adopt" | "retire" | "undo" | "drill";
            /**
             * May
             * @description Actions that this user may take now; `undo` in `GET /changes/{id}` only
             */
            may: ("plan" | "approve" | "apply" | "confirm" | "roll_back" | "discard" | "undo")[];
            /**
             * May Not
             * @description Action -> why it is unavailable, for expected actions
             */
            may_not?: {
                [key: string]: string;
            };
            /** Members */
            members: components["schemas"]["ChangeNodeOut"][];
            /**
             * Name
             * @description `#42`
             */
            name: string;
            /** Nodes */
            nodes: number;
            plan: components["schemas"]["PlanOut"] | null;
            /** Policies */
            policies: string[];
            /** Reason */
            reason: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /** Site */
            site: string;
            /**
             * Stale
             * @description Whether its plan is stale: nobody can approve or start it before it is planned again
             * @default false
             */
            stale: boolean;
            /**
             * State
             * @enum {string}
             */
            state: "draft" | "planned" | "approved" | "rolling" | "confirming" | "done" | "rolled_back" | "stopped" | "failed" | "superseded";
            /** State Text */
            state_text: string;
            /** Ticket */
            ticket: string;
            /** Title */
            title: string;
            /**
             * Undoes
             * @description The change that it undoes, of kind undo
             */
            undoes?: number | null;
            /** Url */
            url: string;
            /**
             * Wave
             * @description The wave in progress
             */
            wave: number | null;
            /** Waves */
            waves: number;
        };
        /**
         * ChangeIn
         * @description Body of `POST /changes`: plans at once.
         *
         *     `policies`: deploy these. `arp`: deploy ARP policies, each on its whole fabric. `restore`: restore the
         *     intended state on the nodes. `adopt`: adopt the nodes' running state as intended.
         */
        ChangeIn: {
            /** Arp Policies */
            arp_policies?: number[];
            /**
             * Kind
             * @default policies
             * @enum {string}
             */
            kind: "policies" | "arp" | "restore" | "adopt";
            /**
             * Nodes
             * @description Nodes of kinds restore and adopt; for policies: deploy only to these
             */
            nodes?: string[];
            /** Policies */
            policies?: number[];
            /**
             * Reason
             * @default
             */
            reason: string;
            /** Site */
            site: string;
            /**
             * Ticket
             * @default
             */
            ticket: string;
            /**
             * Title
             * @default
             */
            title: string;
            /**
             * Wave Size
             * @description Maximum nodes per wave; null: first one node, then a tenth, then the rest
             */
            wave_size?: number | null;
        };
        /**
         * ChangeNodeDetail
         * @description One node in a change, with its evidence: `GET /changes/{id}/nodes/{node_id}`.
         */
        ChangeNodeDetail: {
            /**
             * After
             * @description The last reported state; empty: not reported
             */
            after: string;
            /**
             * As Before
             * @description Whether the last reported state equals the state before the change
             */
            as_before: boolean;
            /**
             * Before
             * @description The node's managed state before the change; empty: not reported
             */
            before: string;
            /**
             * By
             * @enum {string}
             */
            by: "agent" | "guard" | "";
            /**
             * Checks
             * @description Checks by stage; each: `GET /changes/{id}/nodes/{node_id}`
             */
            checks: components["schemas"]["StageChecksOut"][];
            /** @description Routing engine; null: the routing does not change */
            engine?: components["schemas"]["EngineKind"] | null;
            /** Evidence */
            evidence: components["schemas"]["EvidenceOut"][];
            /**
             * Failed
             * @description Checks that failed
             */
            failed: components["schemas"]["EvidenceOut"][];
            /** Guard Until */
            guard_until: string | null;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Reason */
            reason: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * State
             * @enum {string}
             */
            state: "pending" | "preparing" | "prepared" | "applying" | "applied" | "verifying" | "verified" | "confirming" | "confirmed" | "rolling_back" | "rolled_back" | "refused" | "failed";
            /**
             * Wave
             * @description Number of the wave; 0 is the canary
             */
            wave: number;
        };
        /**
         * ChangeNodeOut
         * @description One node in a change, in brief.
         */
        ChangeNodeOut: {
            /**
             * As Before
             * @description Whether the last reported state equals the state before the change
             */
            as_before: boolean;
            /**
             * By
             * @enum {string}
             */
            by: "agent" | "guard" | "";
            /**
             * Checks
             * @description Checks by stage; each: `GET /changes/{id}/nodes/{node_id}`
             */
            checks: components["schemas"]["StageChecksOut"][];
            /** @description Routing engine; null: the routing does not change */
            engine?: components["schemas"]["EngineKind"] | null;
            /**
             * Failed
             * @description Checks that failed
             */
            failed: components["schemas"]["EvidenceOut"][];
            /** Guard Until */
            guard_until: string | null;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Reason */
            reason: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * State
             * @enum {string}
             */
            state: "pending" | "preparing" | "prepared" | "applying" | "applied" | "verifying" | "verified" | "confirming" | "confirmed" | "rolling_back" | "rolled_back" | "refused" | "failed";
            /**
             * Wave
             * @description Number of the wave; 0 is the canary
             */
            wave: number;
        };
        /**
         * ChangeOut
         * @description A change: proposal, plan, approval, application, outcome.
         */
        ChangeOut: {
            /** Age S */
            age_s: number;
            /**
             * Arp Policies
             * @description Identified by their fabrics
             */
            arp_policies?: string[];
            /** Author */
            author: string;
            /**
             * Confirm By
             * @description When the guards roll back; null: no wave awaits confirmation
             */
            confirm_by: string | null;
            /** Confirmed */
            confirmed: number;
            /** Id */
            id: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "policies" | "arp" | "restore" | "adopt" | "retire" | "undo" | "drill";
            /**
             * May
             * @description Actions that this user may take now; `undo` in `GET /changes/{id}` only
             */
            may: ("plan" | "approve" | "apply" | "confirm" | "roll_back" | "discard" | "undo")[];
            /**
             * May Not
             * @description Action -> why it is unavailable, for expected actions
             */
            may_not?: {
                [key: string]: string;
            };
            /**
             * Name
             * @description `#42`
             */
            name: string;
            /** Nodes */
            nodes: number;
            /** Policies */
            policies: string[];
            /** Reason */
            reason: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /** Site */
            site: string;
            /**
             * Stale
             * @description Whether its plan is stale: nobody can approve or start it before it is planned again
             * @default false
             */
            stale: boolean;
            /**
             * State
             * @enum {string}
             */
            state: "draft" | "planned" | "approved" | "rolling" | "confirming" | "done" | "rolled_back" | "stopped" | "failed" | "superseded";
            /** State Text */
            state_text: string;
            /** Ticket */
            ticket: string;
            /** Title */
            title: string;
            /**
             * Undoes
             * @description The change that it undoes, of kind undo
             */
            undoes?: number | null;
            /** Url */
            url: string;
            /**
             * Wave
             * @description The wave in progress
             */
            wave: number | null;
            /** Waves */
            waves: number;
        };
        /**
         * ChangeQuery
         * @description Filters of `list_changes`.
         */
        ChangeQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Fabric */
            fabric?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Policy */
            policy?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("draft" | "planned" | "approved" | "rolling" | "confirming" | "done" | "rolled_back" | "stopped" | "failed" | "superseded") | "current" | null;
        };
        /**
         * ChangeStep
         * @description One line of a change's history.
         */
        ChangeStep: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Person
             * @description Person who took the step; empty: Backstay
             */
            person: string;
            /** Text */
            text: string;
        };
        /**
         * ChannelIn
         * @description Body of `POST /channels` and `PUT /channels/{id}`.
         */
        ChannelIn: {
            /**
             * Config
             * @description Settings of the kind (`channel_kinds` of this document). A PUT may leave out secrets: the stored ones stay.
             */
            config?: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /**
             * Enabled
             * @default true
             */
            enabled: boolean;
            /**
             * Kind
             * @description The transport's kind
             * @enum {string}
             */
            kind: "mail" | "webhook" | "slack" | "teams" | "telegram" | "ntfy" | "pagerduty" | "alertmanager" | "apprise";
            /** Name */
            name: string;
            /**
             * Person
             * @description Whose it is: schedules reach the person by it; empty: everybody's
             * @default
             */
            person: string;
            /** Site */
            site: string;
        };
        /**
         * ChannelOut
         * @description A channel without its secrets.
         */
        ChannelOut: {
            /** Config */
            config: {
                [key: string]: components["schemas"]["JsonValue"];
            };
            /** Enabled */
            enabled: boolean;
            /**
             * Failure
             * @description Why it failed last; empty unless it is failing
             */
            failure: string;
            /** Id */
            id: number;
            /**
             * Kind
             * @description The transport's kind
             * @enum {string}
             */
            kind: "mail" | "webhook" | "slack" | "teams" | "telegram" | "ntfy" | "pagerduty" | "alertmanager" | "apprise";
            /**
             * Label
             * @description Name of its kind
             */
            label: string;
            /** Name */
            name: string;
            /** Person */
            person: string;
            /**
             * Secrets
             * @description Names of the secret settings that are stored
             */
            secrets: string[];
            /**
             * Since
             * Format: date-time
             * @description Since when it is in this state, as far as deliveries show it
             */
            since: string;
            /** Site */
            site: string;
            /**
             * State
             * @description untried: nothing was delivered since its last change
             * @enum {string}
             */
            state: "ok" | "failing" | "untried" | "disabled";
            /**
             * Waiting
             * @description Deliveries that are not finished
             */
            waiting: number;
            /**
             * Worked At
             * @description Newest delivery that succeeded
             */
            worked_at: string | null;
        };
        /**
         * ChannelQuery
         * @description Filters of `list_channels`.
         */
        ChannelQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Kind */
            kind?: ("mail" | "webhook" | "slack" | "teams" | "telegram" | "ntfy" | "pagerduty" | "alertmanager" | "apprise") | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Person */
            person?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * ChannelTestOut
         * @description Result of a test message.
         */
        ChannelTestOut: {
            /** Delivered */
            delivered: boolean;
            /** Delivery Id */
            delivery_id: number;
            /**
             * Reason
             * @description Why it was not delivered; empty if it was
             */
            reason: string;
            /** Took Ms */
            took_ms: number;
        };
        /**
         * CheckOut
         * @description One check of a plan.
         */
        CheckOut: {
            /** Check */
            check: string;
            /**
             * Level
             * @enum {string}
             */
            level: "passed" | "warning" | "failed";
            /** Nodes */
            nodes?: string[];
            /** Text */
            text: string;
        };
        /**
         * CircuitGroupIn
         * @description A group of hosts: a count, or names.
         */
        CircuitGroupIn: {
            /** Count */
            count?: number | null;
            /** Name */
            name: string;
            /** Nodes */
            nodes?: string[] | null;
        };
        /**
         * CircuitHistoryQuery
         * @description Filters of `list_circuit_history`.
         */
        CircuitHistoryQuery: {
            /**
             * At
             * @description A time, or `now-7d`: only the versions in force then; default: all versions
             */
            at?: string | null;
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Name
             * @description Name of a circuit
             */
            name?: string | null;
            /**
             * Node
             * @description Node where it began, ended or passed
             */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * CircuitHop
         * @description One node of a circuit, in the circuit's direction.
         */
        CircuitHop: {
            /**
             * Faults
             * @description Faults of this hop, as sentences
             */
            faults: string[];
            /** @description Null for the first hop */
            into: components["schemas"]["CircuitSide"] | null;
            /**
             * Joins
             * @description Whether its egress matches the next hop's ingress; true for the last hop
             */
            joins: boolean;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number | null;
            /** @description Null for the last hop */
            out: components["schemas"]["CircuitSide"] | null;
            shape: components["schemas"]["CircuitShape"] | null;
        };
        /**
         * CircuitOut
         * @description A circuit from end to end.
         */
        CircuitOut: {
            /**
             * Ends
             * @description Its first and its last node
             */
            ends: string[];
            /** Hops */
            hops: components["schemas"]["CircuitHop"][];
            /** Id */
            id: number;
            /**
             * Incident Id
             * @description Its open incident
             */
            incident_id: number | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "pvc" | "vlan";
            /**
             * Labels
             * @description Distinct labels on its path, in order
             */
            labels: string[];
            /** Name */
            name: string;
            /** Note */
            note: string;
            /**
             * Shape
             * @description Name of its traffic shape
             */
            shape: string | null;
            /**
             * State
             * @description unknown: no device on its path reports it
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Url */
            url: string;
        };
        /**
         * CircuitPlanIn
         * @description Required connectivity and the network's properties.
         */
        CircuitPlanIn: {
            /**
             * Fabric
             * @description Fabric of the named hosts' ports
             */
            fabric?: string | null;
            /** Groups */
            groups: components["schemas"]["CircuitGroupIn"][];
            /**
             * Hub
             * @description The host that all others reach, or a separate router
             */
            hub?: string | null;
            /**
             * Kind
             * @default pvc
             * @enum {string}
             */
            kind: "pvc" | "vlan";
            /**
             * Means
             * @description Supported kinds of circuits
             * @default [
             *       "pvc"
             *     ]
             */
            means: ("pvc" | "svc" | "vlan")[];
            /**
             * Pattern
             * @default full
             * @enum {string}
             */
            pattern: "full" | "between" | "hub";
            shape?: components["schemas"]["CircuitShape"] | null;
            /** Site */
            site: string;
            /**
             * Switches
             * @description Number of switches in series, with the hosts spread over them
             * @default 1
             */
            switches: number;
        };
        /**
         * CircuitPlanOut
         * @description Number of circuits, the best method, and free labels.
         */
        CircuitPlanOut: {
            /** Advice */
            advice: string;
            /**
             * Advised
             * @description The recommended `method` of the sizes
             */
            advised: string;
            /**
             * Capacity
             * @description Labels of one ATM port
             */
            capacity: number;
            /**
             * Circuits
             * @description The first circuits
             */
            circuits: components["schemas"]["PlannedCircuit"][];
            /**
             * Device
             * @description The device that `text` configures
             */
            device: string | null;
            /** Limits */
            limits: string;
            /** Members */
            members: number;
            /**
             * Pairs
             * @description Pairs of all hosts: n(n-1)/2
             */
            pairs: number;
            /**
             * Planned
             * @description Circuits with assigned labels
             */
            planned: number;
            /** Sizes */
            sizes: components["schemas"]["CircuitSize"][];
            /**
             * Text
             * @description Statements for its gratm.conf; empty: its format is not known
             */
            text: string;
        };
        /**
         * CircuitQuery
         * @description Filters of `list_circuits`.
         */
        CircuitQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Kind */
            kind?: ("pvc" | "vlan") | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown") | null;
        };
        /**
         * CircuitShape
         * @description Traffic shape of a circuit.
         */
        CircuitShape: {
            /**
             * Burst
             * @description Burst size in the device's unit
             */
            burst?: number | null;
            /** Name */
            name: string;
            /**
             * Peak
             * @description bit/s
             */
            peak: number;
            /** Qos */
            qos?: ("high" | "low") | null;
            /**
             * Sustain
             * @description bit/s
             */
            sustain?: number | null;
        };
        /**
         * CircuitSide
         * @description Ingress or egress of a circuit at a node.
         */
        CircuitSide: {
            /**
             * Fault
             * @description The fault, as a sentence
             */
            fault: string | null;
            /**
             * Label
             * @description VPI/VCI, or a VLAN id
             */
            label: string;
            /** Port */
            port: string;
            /** Port Id */
            port_id: number | null;
            /**
             * Port Up
             * @description The port's operational state
             */
            port_up: boolean | null;
            /**
             * Reported
             * @description State of the label in the device's own table; null: the table is not read
             */
            reported: ("up" | "down" | "unknown" | "missing" | "off") | null;
            /**
             * Strays
             * @description Labels in the port's table that no circuit uses
             */
            strays: string[];
        };
        /**
         * CircuitSize
         * @description Cost of one method of connecting the hosts.
         */
        CircuitSize: {
            /**
             * Circuits
             * @description Circuits to configure
             */
            circuits: number;
            /**
             * Fits
             * @description Whether the fullest port has enough labels
             */
            fits: boolean;
            /** Method */
            method: string;
            /** Note */
            note: string;
            /**
             * One More
             * @description Configuration lines for one more host
             */
            one_more: number;
            /**
             * Per Port
             * @description Circuits on the fullest host's port
             */
            per_port: number;
            /**
             * Statements
             * @description Configuration lines on all devices
             */
            statements: number;
            /** Title */
            title: string;
            /**
             * Trunk
             * @description Circuits on the fullest trunk
             */
            trunk: number;
        };
        /**
         * CircuitVersionOut
         * @description A circuit as the site file declared it from one import to another.
         */
        CircuitVersionOut: {
            /**
             * Circuit Id
             * @description The circuit of this name now; null: none is declared
             */
            circuit_id: number | null;
            /**
             * Ends
             * @description Its first and its last node
             */
            ends: string[];
            /** Hops */
            hops: components["schemas"]["DeclaredHop"][];
            /** Id */
            id: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "pvc" | "vlan";
            /**
             * Labels
             * @description Distinct labels on its path, in order
             */
            labels: string[];
            /** Name */
            name: string;
            /** Note */
            note: string;
            /**
             * Since
             * @description Import that declared it; null: before imports were recorded
             */
            since: string | null;
            /**
             * Until
             * @description Import that replaced or removed it; null: in force
             */
            until: string | null;
            /** Url */
            url: string | null;
        };
        /**
         * CitationOut
         * @description Source of a reference run.
         */
        CitationOut: {
            /** About */
            about: string;
            /** Cite */
            cite: string;
            /** Figure */
            figure: string;
            /** Title */
            title: string;
        };
        /**
         * ClockIncident
         * @description The open incident about a node's clock.
         */
        ClockIncident: {
            /** Id */
            id: number;
            /** Severity */
            severity: string;
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
        /**
         * ClockOut
         * @description One node's clock as one source reports it.
         */
        ClockOut: {
            /**
             * Against
             * @description Reference of the offset
             * @enum {string}
             */
            against: "backend" | "ntp";
            /** Age S */
            age_s: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Drift Error Ppm */
            drift_error_ppm: number | null;
            /**
             * Drift Ppm
             * @description Drift, microseconds per second; null: unknown
             */
            drift_ppm: number | null;
            /**
             * Error S
             * @description Error bound of the offset
             */
            error_s: number;
            /**
             * Explanation
             * @description How this source is read, and its accuracy
             */
            explanation: string;
            incident: components["schemas"]["ClockIncident"] | null;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /**
             * Offset S
             * @description Offset of the clock from the backend's
             */
            offset_s: number;
            /** Recent */
            recent: components["schemas"]["ClockPoint"][];
            /**
             * Source
             * @description agent, hrSystemDate, ps32, date, chrony
             */
            source: string;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            step: components["schemas"]["ClockStep"] | null;
            /**
             * Text
             * @description `31 d behind`; `in sync` within the error
             */
            text: string;
            /** Url */
            url: string;
        };
        /**
         * ClockPoint
         * @description One measurement of a clock.
         */
        ClockPoint: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Error S */
            error_s: number;
            /** Offset S */
            offset_s: number;
        };
        /**
         * ClockQuery
         * @description Filters of `list_clocks`.
         */
        ClockQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** Source */
            source?: string | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
        };
        /**
         * ClockStep
         * @description The last detected step of a clock.
         */
        ClockStep: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * At Reboot
             * @description The machine booted between the two measurements
             */
            at_reboot: boolean;
            /**
             * By S
             * @description Positive: ahead
             */
            by_s: number;
            /** Text */
            text: string;
        };
        /**
         * CollectorOut
         * @description The last reported run of one collector of a device: what its agent asked for, and with which result.
         *
         *     An agent reports each change of outcome or detail at once, and otherwise each collector once a minute.
         */
        CollectorOut: {
            /** Age S */
            age_s: number;
            /**
             * Agent
             * @description Node whose agent reported the run; null: not recorded
             */
            agent: string | null;
            /**
             * Answered At
             * @description Last reported run with outcome ok; null: none is recorded
             */
            answered_at: string | null;
            /**
             * At
             * Format: date-time
             * @description End of the last reported run
             */
            at: string;
            /**
             * Detail
             * @description Reason of a failure, or what was left out; may be empty
             */
            detail: string;
            /**
             * Duration Ms
             * @description Duration of the last reported run
             */
            duration_ms: number;
            /**
             * Id
             * @description The collector's name
             */
            id: string;
            /**
             * Kind
             * @default collector
             * @constant
             */
            kind: "collector";
            /** Name */
            name: string;
            /**
             * Outcome
             * @description no_data: it ran and had nothing to report; timeout: the device did not answer in time; failed: it answered, but not with usable data
             * @enum {string}
             */
            outcome: "ok" | "no_data" | "timeout" | "failed";
            /**
             * Record Command
             * @description Command on the agent's host that records the device anonymised, for a report; empty: the collector does not poll an SNMP device
             */
            record_command: string;
            /**
             * Since
             * @description Start of the runs with this outcome; null: not recorded
             */
            since: string | null;
            /**
             * State
             * @description unknown: no longer reported
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /**
             * Tables
             * @description SNMP tables that the collector reads, at most 64; sent if more than durations changed
             */
            tables: components["schemas"]["TableReadingOut"][];
            /** Url */
            url: string;
        };
        /**
         * CollectorQuery
         * @description Filters of `list_node_collectors`.
         */
        CollectorQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
        };
        /**
         * CommentIn
         * @description Body of `POST /incidents/{id}/comments`.
         */
        CommentIn: {
            /** Text */
            text: string;
        };
        /**
         * ComparisonOut
         * @description A run (after) against another (before).
         */
        ComparisonOut: {
            after: components["schemas"]["TestRunOut"];
            before: components["schemas"]["TestRunOut"];
            /** Change */
            change: number;
            /** Differences */
            differences: components["schemas"]["CellDifference"][];
            /** Only After */
            only_after: components["schemas"]["PointOut"][];
            /** Only Before */
            only_before: components["schemas"]["PointOut"][];
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "faster" | "slower" | "same";
            /** Sentence */
            sentence: string;
        };
        /**
         * ConclusionOut
         * @description A paper's conclusion from cells of its table, and Backstay's.
         */
        ConclusionOut: {
            /** Agrees */
            agrees: boolean;
            /** Confidence */
            confidence: string;
            /** Expected */
            expected: string;
            /** Paper */
            paper: string;
            /** Row */
            row: string;
            /** Sentence */
            sentence: string;
            /** Verdict */
            verdict: string;
            /** Why Not */
            why_not: string;
        };
        /**
         * ConfirmIn
         * @description Optional body of `POST /changes/{id}/confirm`.
         */
        ConfirmIn: {
            /**
             * Wave
             * @description Confirm only this wave, so that a double click confirms one
             */
            wave?: number | null;
        };
        /**
         * Conflict
         * @description A source that reports another end for one of the link's ports.
         */
        Conflict: {
            /**
             * At
             * Format: date-time
             * @description When it last reported it
             */
            at: string;
            /**
             * By
             * @description The node that reports it; empty: the site file
             */
            by: string;
            /** Node Id */
            node_id: number | null;
            /**
             * Reported Link
             * @description The link reported instead, `node:port-node:port`
             */
            reported_link: string;
            /**
             * Since
             * Format: date-time
             * @description When it first reported it
             */
            since: string;
            /**
             * Source
             * @description site file, infiniband, lldp, fdb or subnet
             */
            source: string;
        };
        /**
         * DecisionOut
         * @description A decision of the checker on a node, with its evidence.
         */
        DecisionOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Evidence */
            evidence: string;
            /** From Gateway */
            from_gateway: string;
            /**
             * Held Back
             * @description Failovers that damping or hold-down prevented before it
             */
            held_back: number;
            /**
             * Reason
             * @enum {string}
             */
            reason: "failed" | "recovered" | "carrier" | "moved" | "move_over" | "no_gateway" | "tried" | "start" | "refused" | "restored" | "not_restored";
            /** To Gateway */
            to_gateway: string;
            /**
             * Took Ms
             * @description Time from the decision to the route's installation in the kernel
             */
            took_ms: number;
        };
        /**
         * DeclaredHop
         * @description One node of a circuit as declared, in the circuit's direction.
         */
        DeclaredHop: {
            /** @description Null for the first hop */
            into: components["schemas"]["DeclaredSide"] | null;
            /**
             * Joins
             * @description Whether its egress matches the next hop's ingress; true for the last hop
             */
            joins: boolean;
            /** Node */
            node: string;
            /** @description Null for the last hop */
            out: components["schemas"]["DeclaredSide"] | null;
            shape: components["schemas"]["CircuitShape"] | null;
        };
        /**
         * DeclaredSide
         * @description Declared ingress or egress of a circuit at a node.
         */
        DeclaredSide: {
            /**
             * Label
             * @description VPI/VCI, or a VLAN id
             */
            label: string;
            /** Port */
            port: string;
        };
        /**
         * DegradedLink
         * @description A port that runs below the width or speed that both ends support.
         */
        DegradedLink: {
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Port */
            port: string;
            /**
             * Running
             * @description As reported by the sweep: `4X 10.0 Gbps`
             */
            running: string;
            /** Speed */
            speed: boolean;
            /** Url */
            url: string;
            /** Width */
            width: boolean;
        };
        /**
         * DeliveryDetail
         * @description A delivery with its message.
         */
        DeliveryDetail: {
            /** Attempts */
            attempts: number;
            /**
             * Channel Id
             * @description null: the channel was deleted, or there was none to send to
             */
            channel_id: number | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Ended At */
            ended_at: string | null;
            /**
             * Failure
             * @description Why the newest attempt failed; empty if it did not
             */
            failure: string;
            /** Id */
            id: number;
            /**
             * Incident Ids
             * @description Incidents that the message lists and that are still stored
             */
            incident_ids: number[];
            /**
             * Incidents
             * @description Number of incidents in the message
             */
            incidents: number;
            /**
             * Key
             * @description Idempotency key: the same in every attempt
             */
            key: string;
            /**
             * Name
             * @description The message's subject
             */
            name: string;
            /**
             * Next At
             * @description Next attempt; null once it was sent or failed
             */
            next_at: string | null;
            /**
             * Reason
             * @description Why the message is sent
             * @enum {string}
             */
            reason: "opened" | "worse" | "reminder" | "escalated" | "resolved" | "test";
            /**
             * Route
             * @description Name of the notification route; null: a test, or it was deleted
             */
            route: string | null;
            /**
             * Status
             * @enum {string}
             */
            status: "queued" | "sending" | "sent" | "failed";
            /**
             * Target
             * @description Name of the channel, and the schedule it was taken from
             */
            target: string;
            /**
             * Text
             * @description The message as plain text
             */
            text: string;
            /**
             * Took Ms
             * @description Duration of the newest attempt
             */
            took_ms: number | null;
        };
        /**
         * DeliveryOut
         * @description One message to one channel.
         */
        DeliveryOut: {
            /** Attempts */
            attempts: number;
            /**
             * Channel Id
             * @description null: the channel was deleted, or there was none to send to
             */
            channel_id: number | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Ended At */
            ended_at: string | null;
            /**
             * Failure
             * @description Why the newest attempt failed; empty if it did not
             */
            failure: string;
            /** Id */
            id: number;
            /**
             * Incidents
             * @description Number of incidents in the message
             */
            incidents: number;
            /**
             * Key
             * @description Idempotency key: the same in every attempt
             */
            key: string;
            /**
             * Name
             * @description The message's subject
             */
            name: string;
            /**
             * Next At
             * @description Next attempt; null once it was sent or failed
             */
            next_at: string | null;
            /**
             * Reason
             * @description Why the message is sent
             * @enum {string}
             */
            reason: "opened" | "worse" | "reminder" | "escalated" | "resolved" | "test";
            /**
             * Route
             * @description Name of the notification route; null: a test, or it was deleted
             */
            route: string | null;
            /**
             * Status
             * @enum {string}
             */
            status: "queued" | "sending" | "sent" | "failed";
            /**
             * Target
             * @description Name of the channel, and the schedule it was taken from
             */
            target: string;
            /**
             * Took Ms
             * @description Duration of the newest attempt
             */
            took_ms: number | null;
        };
        /**
         * DeliveryQuery
         * @description Filters of `list_deliveries`.
         */
        DeliveryQuery: {
            /** Channel Id */
            channel_id?: number | null;
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Incident Id */
            incident_id?: number | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /** Reason */
            reason?: ("opened" | "worse" | "reminder" | "escalated" | "resolved" | "test") | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** Status */
            status?: ("queued" | "sending" | "sent" | "failed") | null;
        };
        /**
         * Detection
         * @description Method that detects a dead gateway.
         * @enum {string}
         */
        Detection: "checker" | "bfd" | "protocol";
        /**
         * DeviceMetricHistory
         * @description One metric over time: parallel lists, one entry per bin, oldest first; null is a gap.
         *
         *     Long ranges, and ranges older than the stored reports, are drawn from roll-ups; then there may be fewer
         *     bins than asked for.
         */
        DeviceMetricHistory: {
            /**
             * At
             * @description Start of each bin, Unix seconds
             */
            at: number[];
            /**
             * Coverage
             * @description Observed fraction of the range, 0..1; a report without an interval covers the time since the one before, at most 150 s
             */
            coverage: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "growth" | "level" | "state" | "unknown";
            /**
             * Level
             * @description Coarsest source of a bin: samples, or roll-ups of 5 minutes, 1 hour or 1 day
             * @enum {string}
             */
            level: "samples" | "5m" | "1h" | "1d";
            /** Max */
            max: (number | null)[];
            /** Mean */
            mean: (number | null)[];
            /** Metric */
            metric: string;
            /** Min */
            min: (number | null)[];
            /**
             * P95
             * @description Nearest rank over 5-minute means of the range
             */
            p95: number | null;
            /**
             * P95 Exact
             * @description False if p95 is partly estimated from coarser bins, as older 5-minute bins are dropped
             */
            p95_exact: boolean;
            /**
             * Per Second
             * @description Whether values are rates; always true for counters
             */
            per_second: boolean;
            /** Step S */
            step_s: number;
            /** Subject */
            subject: string;
            /** Title */
            title: string;
            /** Unit */
            unit: string;
        };
        /**
         * DeviceMetricOut
         * @description One metric of one port or part of a device, as last reported.
         */
        DeviceMetricOut: {
            /** Age S */
            age_s: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Collector */
            collector: string;
            /** Id */
            id: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "growth" | "level" | "state" | "unknown";
            /** Metric */
            metric: string;
            /**
             * Name
             * @description The metric's title; its name if unknown
             */
            name: string;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "ok" | "wrapped" | "reset" | "gap" | "absurd" | "saturated" | "missing";
            /**
             * Per S
             * @description A counter's growth per second
             */
            per_s: number | null;
            /** Port Id */
            port_id: number | null;
            /**
             * Reported State
             * @description Text of a state metric; null: not a state
             */
            reported_state: string | null;
            /** Sentence */
            sentence: string;
            /**
             * Since
             * @description Unknown for a metric
             */
            since?: string | null;
            /**
             * State
             * @description warning: an error above zero, or a state that is not healthy
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /**
             * Subject
             * @description Port or part; empty: the device as a whole
             */
            subject: string;
            /** Unit */
            unit: string;
            /** Url */
            url: string;
            /**
             * Value
             * @description A counter's growth in the last interval; null: unknown
             */
            value: number | null;
        };
        /**
         * DeviceMetricPart
         * @description A part with a high value or an unhealthy state.
         */
        DeviceMetricPart: {
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Reported State */
            reported_state: string | null;
            /** Subject */
            subject: string;
            /** Url */
            url: string;
            /** Value */
            value: number | null;
        };
        /**
         * DeviceMetricQuery
         * @description Filters of `list_device_metrics`.
         */
        DeviceMetricQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Metric */
            metric?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("ok" | "warning" | "unknown") | null;
            /** Subject */
            subject?: string | null;
        };
        /**
         * DifferenceOut
         * @description One prefix before and after, best hop first.
         */
        DifferenceOut: {
            /** After */
            after: string[];
            /** Before */
            before: string[];
            /** Prefix */
            prefix: string;
        };
        /**
         * DirectionBaseline
         * @description Usual load of one direction: parallel lists, one entry per bin; null: fewer than 3 weeks are known.
         */
        DirectionBaseline: {
            /**
             * High
             * @description 90th percentile
             */
            high: (number | null)[];
            /**
             * Low
             * @description 10th percentile
             */
            low: (number | null)[];
            /** Median */
            median: (number | null)[];
            /**
             * Weeks
             * @description Number of weeks that it rests on, 0 to 8
             */
            weeks: number[];
        };
        /**
         * DriftItem
         * @description One prefix, file or ARP setting whose intended, running and saved values differ.
         */
        DriftItem: {
            /** Intended */
            intended: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "route" | "file" | "arp" | "setting" | "neighbour" | "arp_file";
            /**
             * On Fallback
             * @description The checker prefers a fallback: expected, not drift
             */
            on_fallback: boolean;
            /**
             * Reboot
             * @description A reboot would change the running state
             */
            reboot: boolean;
            /** Running */
            running: string;
            /** Saved */
            saved: string;
            /** Text */
            text: string;
            /**
             * What
             * @description A prefix, or a file's path
             */
            what: string;
        };
        /**
         * DriftOut
         * @description One node with drift.
         *
         *     A checker on its fallback is not drift: the state stays ok, and the node is listed because a reboot
         *     would change its running state.
         */
        DriftOut: {
            /** Age S */
            age_s: number;
            /** @description Null: only its ARP is intended */
            engine: components["schemas"]["EngineKind"] | null;
            /**
             * Intended By
             * @description The change that deployed the intended state
             */
            intended_by: number | null;
            /** Items */
            items: components["schemas"]["DriftItem"][];
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** On Fallback */
            on_fallback: boolean;
            /** Reboot */
            reboot: boolean;
            /** Running Differs */
            running_differs: boolean;
            /** Saved Differs */
            saved_differs: boolean;
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
            /**
             * Text
             * @description All differences, as sentences
             */
            text: string;
            /** Url */
            url: string;
        };
        /**
         * DriftQuery
         * @description Filters of `list_drift`.
         */
        DriftQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /** Only */
            only?: ("drift" | "reboot") | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * DrillIn
         * @description Body of `POST /drills`: fail over, measure, fail back.
         */
        DrillIn: {
            /**
             * At
             * @description Start time; null: now
             */
            at?: string | null;
            /**
             * Every Days
             * @description Repeat after this many days; null: run once
             */
            every_days?: number | null;
            /**
             * Gateway
             * @description Gateway to fail over to; empty: each node's next one
             * @default
             */
            gateway: string;
            /**
             * Nodes
             * @description Nodes of the drill; empty: all nodes of the policy
             */
            nodes?: string[];
            /** Policy */
            policy: number;
            /**
             * Reason
             * @default
             */
            reason: string;
            /**
             * Seconds
             * @default 30
             */
            seconds: number;
        };
        /**
         * DrillNodeOut
         * @description One node in a drill.
         */
        DrillNodeOut: {
            /** Detail */
            detail: string;
            /** Gateway */
            gateway: string;
            /** Moved At */
            moved_at: string | null;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Outage Back Ms */
            outage_back_ms: number | null;
            /** Outage Out Ms */
            outage_out_ms: number | null;
            /** Path Id */
            path_id: number;
            /** Rtt Ms */
            rtt_ms: number | null;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "moved" | "returned" | "refused" | "failed";
        };
        /**
         * DrillOut
         * @description A drill, planned, running or kept as evidence.
         */
        DrillOut: {
            /** Age S */
            age_s: number;
            /**
             * At
             * Format: date-time
             * @description Scheduled or actual start
             */
            at: string;
            /** Author */
            author: string;
            /** Cancelled By */
            cancelled_by: string;
            /** Every Days */
            every_days: number | null;
            /**
             * Fallback Bps
             * @description Peak (1 s) on the fallback's links while it carried traffic
             */
            fallback_bps: number | null;
            /** Fallback Utilisation */
            fallback_utilisation: number | null;
            /**
             * Gateway
             * @description Gateway to fail over to; empty: each node's next one
             */
            gateway: string;
            /** Id */
            id: number;
            /**
             * Kind
             * @default drill
             * @constant
             */
            kind: "drill";
            /**
             * May Cancel
             * @description Whether this user may cancel it now
             */
            may_cancel: boolean;
            /** Members */
            members: components["schemas"]["DrillNodeOut"][];
            /** Name */
            name: string;
            /**
             * Nodes
             * @description Nodes of the drill; empty: all nodes with the policy
             */
            nodes: string[];
            /** Policy */
            policy: string;
            /** Policy Id */
            policy_id: number;
            /** Reason */
            reason: string;
            /** Refused Because */
            refused_because: string[];
            /** Seconds */
            seconds: number;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /** Site */
            site: string;
            /**
             * State
             * @enum {string}
             */
            state: "scheduled" | "refused" | "running" | "returning" | "passed" | "failed" | "cancelled";
            /** State Text */
            state_text: string;
            /** Url */
            url: string;
            /** Worst Outage Ms */
            worst_outage_ms: number | null;
        };
        /**
         * DrillQuery
         * @description Filters of `list_drills`.
         */
        DrillQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Policy */
            policy?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("scheduled" | "refused" | "running" | "returning" | "passed" | "failed" | "cancelled") | null;
        };
        /**
         * DuplicateMac
         * @description One of the hardware addresses of a duplicate address.
         */
        DuplicateMac: {
            /** Mac */
            mac: string;
            /**
             * Nodes
             * @description `node:port` of the tables that contain it
             */
            nodes: string[];
            /** Owner */
            owner: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
        };
        /**
         * DuplicateOut
         * @description An address with several hardware addresses on one fabric at the same time.
         */
        DuplicateOut: {
            /** Address */
            address: string;
            /** Age S */
            age_s: number;
            /** Fabric */
            fabric: string | null;
            incident: components["schemas"]["TableIncident"] | null;
            /** Macs */
            macs: components["schemas"]["DuplicateMac"][];
            /**
             * Since
             * Format: date-time
             */
            since: string;
        };
        /**
         * EffectiveRuleOut
         * @description What applies to one port.
         */
        EffectiveRuleOut: {
            /**
             * About
             * @description The object of the port by which overrides apply
             * @enum {string}
             */
            about: "link" | "port" | "node" | "site";
            /** Enabled */
            enabled: boolean;
            /**
             * Kind
             * @description The rule's kind
             * @enum {string}
             */
            kind: "reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed";
            /** Name */
            name: string;
            /**
             * Settings
             * @description Enablement, severity, then parameters
             */
            settings: components["schemas"]["EffectiveValueOut"][];
            /** Severity */
            severity: string;
        };
        /**
         * EffectiveValueOut
         * @description One effective setting of a port, and where it comes from.
         */
        EffectiveValueOut: {
            /** Label */
            label: string;
            /** Name */
            name: string;
            /**
             * Source
             * @description `role compute`; default: the rule's own
             */
            source: string;
            /**
             * Ties
             * @description Overrides of the same scope that set another value: the first in the alphabet wins
             */
            ties: string[];
            /** Unit */
            unit: string;
            /** Value */
            value: number | boolean | string;
        };
        /**
         * EndsOut
         * @description Sender and receiver.
         */
        EndsOut: {
            /** Receiver */
            receiver: string;
            /** Sender */
            sender: string;
        };
        /**
         * EngineKind
         * @description Routing software that installs a node's routes.
         * @enum {string}
         */
        EngineKind: "kernel" | "frr" | "bird" | "gated";
        /**
         * EnrolmentTokenIn
         * @description Body of `POST /enrolment-tokens`: the node whose agent may enrol.
         */
        EnrolmentTokenIn: {
            /** Node */
            node: string;
            /** Site */
            site: string;
        };
        /**
         * EnrolmentTokenOut
         * @description A new token, which is shown only once.
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
         * ErrorRate
         * @description One counter of one port within the two windows.
         */
        ErrorRate: {
            /** Long */
            long: number;
            /** Long Per H */
            long_per_h: number | null;
            /** Metric */
            metric: string;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Port */
            port: string;
            /** Sentence */
            sentence: string;
            /**
             * Short
             * @description Errors within the short window
             */
            short: number;
            /**
             * Short Per H
             * @description Null: the port was not monitored
             */
            short_per_h: number | null;
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
        /**
         * EventGroupOut
         * @description Events with one root cause; without one, events of one object at about the same time.
         */
        EventGroupOut: {
            /**
             * Affected
             * @description Number of paths that are not restored
             */
            affected: number;
            /**
             * Dead
             * @description Number of paths that were dead and not rerouted
             */
            dead: number;
            /**
             * Detail
             * @description `7 paths rerouted to atmgw, at most 300 ms lost, restored`
             */
            detail: string;
            /**
             * End
             * @description Null: ongoing
             */
            end: string | null;
            /** Events */
            events: number;
            /**
             * First At
             * Format: date-time
             * @description Time of the oldest event
             */
            first_at: string;
            /**
             * Incident Id
             * @description The root cause
             */
            incident_id: number | null;
            /**
             * Key
             * @description Pass it as `group` to `GET /events`, with `start` and `end` of this group
             */
            key: string;
            /** Kinds */
            kinds: components["schemas"]["EventKind"][];
            /**
             * Last At
             * Format: date-time
             * @description Time of the newest event
             */
            last_at: string;
            /**
             * Outage Ms
             * @description Longest measured outage of a path
             */
            outage_ms: number | null;
            /**
             * Paths
             * @description Number of paths in the events
             */
            paths: number;
            /** Rerouted */
            rerouted: number;
            /**
             * Start
             * Format: date-time
             */
            start: string;
            /**
             * State
             * @description ok once everything is restored
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /**
             * Title
             * @description What happened, without its times: `grf1 failed over`
             */
            title: string;
            /** Url */
            url: string;
        };
        /**
         * EventGroupPageOut
         * @description Groups, newest first.
         */
        EventGroupPageOut: {
            /**
             * Grouped Since
             * @description Only events from this time on are grouped, as there are too many; null: all are
             */
            grouped_since: string | null;
            /** Items */
            items: components["schemas"]["EventGroupOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
            /**
             * Total
             * @description Number of groups on all pages
             */
            total: number;
        };
        /**
         * EventGroupQuery
         * @description Filters of `list_event_groups`.
         */
        EventGroupQuery: {
            /** About */
            about?: ("changes" | "paths") | null;
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** End */
            end?: string | null;
            kind?: components["schemas"]["EventKind"] | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** Start */
            start?: string | null;
        };
        /**
         * EventKind
         * @description `<category>.<action>`: what happened, and to what kind of object.
         * @enum {string}
         */
        EventKind: "path.switched" | "path.lost" | "path.dead" | "path.restored" | "path.decision" | "path.overridden" | "path.move_asked" | "path.moved" | "path.returned" | "path.move_failed" | "change.planned" | "change.approved" | "change.rolling" | "change.confirming" | "change.done" | "change.rolled_back" | "change.stopped" | "change.failed" | "change.superseded" | "policy.created" | "policy.changed" | "policy.deleted" | "arp_policy.created" | "arp_policy.changed" | "arp_policy.deleted" | "drift.appeared" | "drift.gone" | "drill.scheduled" | "drill.refused" | "drill.running" | "drill.returning" | "drill.passed" | "drill.failed" | "drill.cancelled" | "test_plan.created" | "test_plan.changed" | "test_plan.removed" | "test_run.asked" | "test_run.done" | "test_run.failed" | "test_run.cancelled" | "test_run.left_out" | "port.down" | "port.up" | "node.stale" | "node.reporting" | "node.released" | "node.reverted" | "node.managed" | "node.management_cleared" | "node.restarted" | "node.hold_asked" | "node.held" | "node.hold_ended" | "node.hold_failed" | "incident.opened" | "incident.resolved" | "incident.acknowledged" | "incident.reopened" | "incident.quiet" | "incident.snoozed" | "incident.assigned" | "incident.commented" | "maintenance.created" | "maintenance.changed" | "maintenance.ended" | "maintenance.deleted" | "agent.enrolled" | "site.imported" | "clock.stepped" | "spool.dropped" | "notice" | "notice.dropped" | "link.found" | "link.gone" | "link.moved" | "link.conflict";
        /**
         * EventOut
         * @description An event, as one sentence with its values.
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
            kind: components["schemas"]["EventKind"];
            /** Link Id */
            link_id: number | null;
            /** Message */
            message: string;
            /**
             * Name
             * @description Object of the event: node, port, path
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
         * EventQuery
         * @description Filters of `list_events`.
         */
        EventQuery: {
            /** About */
            about?: ("changes" | "paths") | null;
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** End */
            end?: string | null;
            /** Group */
            group?: string | null;
            /** Incident Id */
            incident_id?: number | null;
            kind?: components["schemas"]["EventKind"] | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Link Id */
            link_id?: number | null;
            /** Node */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** Start */
            start?: string | null;
        };
        /**
         * Evidence
         * @description A source that reports the link, and when.
         */
        Evidence: {
            /**
             * At
             * Format: date-time
             * @description When it last reported it
             */
            at: string;
            /**
             * By
             * @description The node that reports it; empty: the site file
             */
            by: string;
            /** Node Id */
            node_id: number | null;
            /**
             * Since
             * Format: date-time
             * @description When it first reported it
             */
            since: string;
            /**
             * Source
             * @description site file, infiniband, lldp, fdb or subnet
             */
            source: string;
        };
        /**
         * EvidenceOut
         * @description One check of a node's state.
         */
        EvidenceOut: {
            /** Found */
            found: string;
            /** Ok */
            ok: boolean;
            /**
             * Stage
             * @description Before the change, after apply, by probes, before save, after save, after rollback
             * @default
             * @enum {string}
             */
            stage: "" | "checked" | "applied" | "probed" | "verified" | "saved" | "restored";
            /** What */
            what: string;
        };
        /**
         * ExpectedCable
         * @description A difference between the site file's cable and the evidence.
         */
        ExpectedCable: {
            /** Name */
            name: string;
            /** Reported */
            reported: string;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** Url */
            url: string;
        };
        /**
         * ExportIn
         * @description Body of `POST /exports`: at most one of `links`, `ports` and `fabric`; none of them: the whole site.
         */
        ExportIn: {
            /**
             * End
             * @default now
             */
            end: string;
            /**
             * Fabric
             * @description Name of a fabric: all its ports
             */
            fabric?: string | null;
            /**
             * Format
             * @default csv
             * @enum {string}
             */
            format: "csv" | "jsonl" | "parquet";
            /**
             * Level
             * @description samples, or roll-ups of 5 minutes, 1 hour or 1 day. auto: roll-ups that have at least 2000 bins in the range, and samples and other roll-ups where these are not stored
             * @default auto
             * @enum {string}
             */
            level: "auto" | "samples" | "5m" | "1h" | "1d";
            /**
             * Links
             * @description Ids of links: their ports at both ends
             * @default []
             */
            links: number[];
            /**
             * Ports
             * @description Ids of ports
             * @default []
             */
            ports: number[];
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Start
             * @default now-1d
             */
            start: string;
        };
        /**
         * ExportOut
         * @description An export, its progress and its gaps.
         */
        ExportOut: {
            /**
             * By
             * @description User who asked for it
             */
            by: string;
            /**
             * Bytes
             * @description Size of the file, or of what is written of it
             */
            bytes: number;
            /** Can Delete */
            can_delete: boolean;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Download
             * @description Address of the file; null: not complete
             */
            download: string | null;
            /**
             * End
             * Format: date-time
             */
            end: string;
            /** Ended At */
            ended_at: string | null;
            /**
             * Expires At
             * @description When it is deleted; null: not ended
             */
            expires_at: string | null;
            /** Filename */
            filename: string;
            /**
             * Format
             * @enum {string}
             */
            format: "csv" | "jsonl" | "parquet";
            /** Gap Count */
            gap_count: number;
            /**
             * Gaps
             * @description Time whose data are not stored or cannot be read; the first 100. The file names all gaps
             */
            gaps: components["schemas"]["HistoryGapOut"][];
            /** Id */
            id: number;
            /**
             * Level
             * @enum {string}
             */
            level: "auto" | "samples" | "5m" | "1h" | "1d";
            /**
             * Progress
             * @description 0..1, of the time range
             */
            progress: number;
            /** Rows */
            rows: number;
            /**
             * Selection
             * @description `3 links`, `1 port`, `fabric eth0` or `whole site`
             */
            selection: string;
            /** Site */
            site: string;
            /**
             * Start
             * Format: date-time
             */
            start: string;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed";
            /**
             * Text
             * @description The state as a sentence, with the reason of a delay or a failure
             */
            text: string;
        };
        /**
         * ExportQuery
         * @description Filters of `list_exports`.
         */
        ExportQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: "open" | ("queued" | "running" | "done" | "failed") | null;
        };
        /**
         * ExtensionAttribute
         * @description One attribute: intended, and as in the router's row of the SP dependent-node MIB.
         */
        ExtensionAttribute: {
            /**
             * Intended
             * @description Null: not declared
             */
            intended: string | null;
            /** Key */
            key: string;
            /**
             * Object
             * @description MIB object; empty: none
             */
            object: string;
            /**
             * Reported
             * @description Null: the router does not report it
             */
            reported: string | null;
            /**
             * Sdr
             * @description `Class.attribute` of the SDR; empty: uncertain or none
             */
            sdr: string;
            /**
             * Severe
             * @description Whether it causes packet loss
             */
            severe: boolean;
            /**
             * Text
             * @description Meaning of the difference, as a sentence; empty: no difference
             */
            text: string;
            /** Title */
            title: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "same" | "differs" | "degraded" | "not_reported" | "not_declared";
        };
        /**
         * ExtensionCheckOut
         * @description The proposal with its checks and the manual steps. Stores nothing.
         */
        ExtensionCheckOut: {
            /** Arp */
            arp: boolean;
            /** Arp Source */
            arp_source: string;
            /**
             * Attachable
             * @description No check failed
             */
            attachable: boolean;
            /** Checks */
            checks: components["schemas"]["CheckOut"][];
            /** Fabric */
            fabric: string;
            /** Node */
            node: string;
            /** Ports */
            ports: components["schemas"]["SwitchPortOut"][];
            proposal: components["schemas"]["ExtensionProposal"];
            /**
             * Site File
             * @description The node's entry for the site file; empty while a check fails
             */
            site_file: string;
            /**
             * Steps
             * @description Empty while a check fails
             */
            steps: components["schemas"]["ExtensionStep"][];
            /** Undo */
            undo: components["schemas"]["ExtensionStep"][];
        };
        /**
         * ExtensionIn
         * @description An extension node to be attached; missing values are proposed.
         */
        ExtensionIn: {
            /**
             * Address
             * @description With prefix length: 10.1.0.16/24
             */
            address?: string | null;
            /**
             * Fabric
             * @description The SP switch; may be absent if the site has only one
             */
            fabric?: string | null;
            /** Frame */
            frame?: number | null;
            /** Host Offset */
            host_offset?: number | null;
            /**
             * Max Link Packet
             * @default 65520
             */
            max_link_packet: number;
            /**
             * Node
             * @description Name of the gateway; it may be new
             */
            node: string;
            /** Node Number */
            node_number?: number | null;
            /**
             * Port
             * @default gt000
             */
            port: string;
            /** Site */
            site: string;
            /** Slot */
            slot?: number | null;
            /** Switch Node Number */
            switch_node_number?: number | null;
        };
        /**
         * ExtensionNodeQuery
         * @description Filters of `list_extension_nodes`.
         */
        ExtensionNodeQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown") | null;
        };
        /**
         * ExtensionOut
         * @description A gateway attached to an SP switch as an extension node.
         */
        ExtensionOut: {
            /** Address */
            address: string | null;
            /** Age S */
            age_s: number | null;
            /**
             * Arp
             * @description Whether ARP runs on the switch
             */
            arp: boolean;
            /**
             * Arp Source
             * @description Source of the ARP state
             */
            arp_source: string;
            /** Attributes */
            attributes: components["schemas"]["ExtensionAttribute"][];
            /**
             * Checks
             * @description Whether it can be attached as intended
             */
            checks: components["schemas"]["CheckOut"][];
            /** Fabric */
            fabric: string;
            /**
             * Id
             * @description Id of the node
             */
            id: number;
            /** Incident Id */
            incident_id: number | null;
            /** Name */
            name: string;
            /** Node Number */
            node_number: number | null;
            /**
             * Place
             * @description `frame 1 slot 16`; empty: not declared
             */
            place: string;
            /** Port */
            port: string;
            /**
             * Reported At
             * @description When its router last reported a row
             */
            reported_at: string | null;
            /**
             * State
             * @description unknown: not reported by the router
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Steps */
            steps: components["schemas"]["ExtensionStep"][];
            /** Switch Node Number */
            switch_node_number: number | null;
            /** Undo */
            undo: components["schemas"]["ExtensionStep"][];
            /** Url */
            url: string;
        };
        /**
         * ExtensionProposal
         * @description Proposed values of the extension node.
         */
        ExtensionProposal: {
            /** Address */
            address: string | null;
            /** Frame */
            frame: number | null;
            /** Host Offset */
            host_offset: number | null;
            /** Max Link Packet */
            max_link_packet: number;
            /** Node Number */
            node_number: number | null;
            /**
             * Reasons
             * @description Reason for each proposed value
             */
            reasons: {
                [key: string]: string;
            };
            /** Slot */
            slot: number | null;
            /** Switch Node Number */
            switch_node_number: number | null;
        };
        /**
         * ExtensionStep
         * @description One manual step, on the control workstation unless its text names another host.
         */
        ExtensionStep: {
            /**
             * Command
             * @description Verified part of the command; empty: no command exists
             */
            command: string;
            /** Text */
            text: string;
            /**
             * Values
             * @description Attributes passed to it
             */
            values: components["schemas"]["ExtensionValue"][];
        };
        /**
         * ExtensionValue
         * @description An attribute passed to a command.
         */
        ExtensionValue: {
            /** Name */
            name: string;
            /** Value */
            value: string;
        };
        /**
         * FabricCounter
         * @description One metric aggregated over a fabric.
         */
        FabricCounter: {
            /**
             * Affected
             * @description Number of parts above zero, or with an unhealthy state
             */
            affected: number;
            /**
             * Error
             * @description A value above zero is an error
             */
            error: boolean;
            /**
             * Good
             * @description Healthy values of a state
             */
            good: string[];
            /**
             * Kind
             * @description growth: a counter's increase; level: the current value; state: one of several names
             * @enum {string}
             */
            kind: "growth" | "level" | "state" | "unknown";
            /**
             * Name
             * @description `family.metric`
             */
            name: string;
            /**
             * Parts
             * @description Ports and parts that have it
             */
            parts: number;
            /** Per S */
            per_s: number | null;
            /**
             * Sentence
             * @description Description for an operator
             */
            sentence: string;
            /**
             * Source
             * @description MIB object, counter or manual that it is read from
             */
            source: string;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /**
             * States
             * @description Number of parts by reported state
             */
            states: {
                [key: string]: number;
            };
            /** Title */
            title: string;
            /**
             * Total
             * @description Sum of the counters' growth in each part's last interval
             */
            total: number | null;
            /** Unit */
            unit: string;
            /** Worst */
            worst: components["schemas"]["DeviceMetricPart"][];
        };
        /**
         * FabricDetail
         * @description A fabric with its load and metrics.
         */
        FabricDetail: {
            /**
             * Arp
             * @enum {string}
             */
            arp: "on" | "off" | "none";
            /** Contradicted Links */
            contradicted_links: number;
            /** Counters */
            counters: components["schemas"]["FabricCounter"][];
            /** Errors Ps */
            errors_ps: number;
            /** Id */
            id: number;
            /**
             * In Bps
             * @description Sum of its ports' receive rates
             */
            in_bps: number;
            /** Kind */
            kind: string;
            /** Links */
            links: number;
            /** Media Rate */
            media_rate: number;
            /** Mtu */
            mtu: number;
            /** Name */
            name: string;
            /** Nodes */
            nodes: number;
            /** Out Bps */
            out_bps: number;
            /** Ports */
            ports: number;
            /** Ports Down */
            ports_down: number;
            /** Ports Unknown */
            ports_unknown: number;
            /** Ports Up */
            ports_up: number;
            /**
             * Report
             * @description Page with the report of this technology
             */
            report: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Title */
            title: string;
            /** Url */
            url: string;
            /**
             * Usable Rate
             * @description Rate after encoding and framing, scaled by the site's rate_scale
             */
            usable_rate: number;
        };
        /**
         * FabricHistoryOut
         * @description A fabric's traffic over time: parallel lists, one entry per bin, oldest first.
         *
         *     The sums of its ports' mean rates. A null value is a gap without reports; nothing is interpolated. Drawn
         *     from roll-ups, and from samples where there are none yet. Large fabrics have fewer bins than asked for.
         */
        FabricHistoryOut: {
            /**
             * At
             * @description Start of each bin, Unix seconds
             */
            at: number[];
            /**
             * Coverage
             * @description Observed fraction of the range, the mean of all devices, 0..1
             */
            coverage: number;
            /**
             * Devices
             * @description Devices with a value; the sums are without the others
             */
            devices: number[];
            /** Devices Total */
            devices_total: number;
            /**
             * In Mean
             * @description Received by its ports, bit/s
             */
            in_mean: (number | null)[];
            /**
             * Level
             * @description Coarsest source of a bin: samples, or roll-ups of 5 minutes, 1 hour or 1 day
             * @enum {string}
             */
            level: "samples" | "5m" | "1h" | "1d";
            /**
             * Out Mean
             * @description Sent by its ports, bit/s
             */
            out_mean: (number | null)[];
            /** Step S */
            step_s: number;
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
            /** Url */
            url: string;
            /**
             * Usable Rate
             * @description Rate after encoding and framing, scaled by the site's rate_scale
             */
            usable_rate: number;
        };
        /**
         * FailbackOut
         * @description A pending failback to the reachable preferred gateway, with its condition.
         */
        FailbackOut: {
            /** Gateway */
            gateway: string;
            /** Text */
            text: string;
            /**
             * Until
             * @description When it is due, if known
             */
            until: string | null;
            /**
             * Why
             * @enum {string}
             */
            why: "manual" | "after" | "hold_down" | "recovering" | "daemon" | "moved";
        };
        /**
         * FailingHealth
         * @description Health of a failing service, also usable as a `Problem`.
         */
        FailingHealth: {
            /** @description null: nothing is archived, or the database does not answer */
            archive: components["schemas"]["ArchiveOut"] | null;
            /**
             * Code
             * @default unavailable
             * @constant
             */
            code: "unavailable";
            /** Database */
            database: boolean;
            /**
             * Evaluation Age S
             * @description Largest time of any site since its rules were last evaluated, seconds
             */
            evaluation_age_s: number | null;
            /** Failures */
            failures: components["schemas"]["Failure"][];
            /** Fields */
            fields?: {
                [key: string]: string;
            };
            /** Ingest */
            ingest: boolean;
            /** Message */
            message: string;
            /** Redis */
            redis: boolean;
            /** @description null: BACKSTAY_READ_DB_HOST is not set */
            standby: components["schemas"]["StandbyOut"] | null;
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "degraded" | "failing";
            /** Version */
            version: string;
            /**
             * Worker Seen S
             * @description Seconds since a worker last started the rounds
             */
            worker_seen_s: number | null;
        };
        /**
         * Failure
         * @description A part of the service that does not work.
         */
        Failure: {
            /** Message */
            message: string;
            /**
             * Part
             * @enum {string}
             */
            part: "PostgreSQL" | "standby" | "Redis" | "ingest" | "rule evaluation" | "archive";
        };
        /**
         * FileDiffOut
         * @description A boot file before and after; `diff` is unified.
         */
        FileDiffOut: {
            /** After */
            after: string;
            /** Diff */
            diff: string;
            /** Path */
            path: string;
        };
        /**
         * FlowOut
         * @description Sender, receiver and path.
         */
        FlowOut: {
            /**
             * Path
             * @description Nodes and shared media; empty: unknown
             */
            path: string[];
            /** Receiver */
            receiver: string;
            /** Sender */
            sender: string;
        };
        /**
         * GatewayOut
         * @description A node as a gateway, over all paths of all policies.
         */
        GatewayOut: {
            /**
             * Answering
             * @description Paths whose node gets an answer
             */
            answering: number;
            /**
             * Reachability
             * @description Whether it answers the nodes that probe it
             * @enum {string}
             */
            reachability: "reachable" | "partly_reachable" | "unreachable" | "not_probed";
            /**
             * Role
             * @enum {string}
             */
            role: "active" | "active_unverified" | "degraded" | "not_forwarding" | "unreachable" | "standby_verified" | "standby_not_verified" | "standby_dead" | "unknown";
            /**
             * Silent
             * @description Paths whose node gets none
             */
            silent: number;
            /**
             * Text
             * @description `active for 7 paths, standby not verified for 3`
             */
            text: string;
            /**
             * Uses
             * @description Number of paths by how they use it
             */
            uses: {
                [key: string]: number;
            };
        };
        /**
         * GatewayState
         * @description One gateway of a path, as observed by the node.
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
             * @description Order of preference; 0 is the preferred gateway
             */
            order: number;
            /** Rtt Ms */
            rtt_ms: number | null;
            /**
             * Since
             * @description Start of its current state, answering or not
             */
            since: string | null;
            /**
             * Standby
             * @description Whether it could take over, by probes of the target through it; null: it is active
             */
            standby: ("verified" | "not verified" | "dead") | null;
            /**
             * Use
             * @description How the path uses it
             * @enum {string}
             */
            use: "active" | "dead" | "active_unverified" | "standby_verified" | "standby_not_verified" | "standby_dead" | "unknown";
        };
        /**
         * GridCellOut
         * @description The result from one end to another.
         */
        GridCellOut: {
            /** Cells */
            cells: number[];
            /**
             * Rate
             * @description Rate of its best cell; null: none is done
             */
            rate: number | null;
            /** Receiver */
            receiver: string;
            /** Sender */
            sender: string;
            /** States */
            states: ("queued" | "running" | "done" | "missing_tool" | "wrong_version" | "refused" | "port_busy" | "killed" | "peer_gone" | "truncated" | "timed_out" | "cancelled" | "lost_agent" | "aborted_by_load" | "failed")[];
            /**
             * Verdict
             * @description Verdict of its best cell, or why none is done; empty: not run yet
             */
            verdict: string;
        };
        /**
         * GroupIn
         * @description Body of `POST /failover-policies/group-preview`.
         */
        GroupIn: {
            /**
             * Gateways
             * @description Gateways of the policy, to mark the nodes that are among them
             */
            gateways?: string[];
            nodes: components["schemas"]["GroupModel"];
            /** Site */
            site: string;
        };
        /**
         * GroupModel
         * @description Node selector: nodes that match every given part.
         */
        GroupModel: {
            /** Labels */
            labels?: {
                [key: string]: string;
            };
            /**
             * Names
             * @description Names or shell patterns such as `sp*`; one must match
             */
            names?: string[];
            /** Number From */
            number_from?: number | null;
            /** Number To */
            number_to?: number | null;
            /**
             * Role
             * @default
             */
            role: string;
        };
        /**
         * GroupOut
         * @description Nodes that currently match a group; the lists have at most 200 names.
         */
        GroupOut: {
            /**
             * Labels
             * @description Label names of the site's nodes
             */
            labels: string[];
            /** Nodes */
            nodes: string[];
            /** Not Managed */
            not_managed: string[];
            /**
             * Not Managed Total
             * @description Members whose routes Backstay does not manage: plans skip them
             */
            not_managed_total: number;
            /**
             * Own Gateways
             * @description Members that are gateways of the policy
             */
            own_gateways: string[];
            /**
             * Roles
             * @description Roles of the site's nodes
             */
            roles: string[];
            /** Total */
            total: number;
        };
        /**
         * HandOverIn
         * @description The router and its current file.
         */
        HandOverIn: {
            /**
             * Current
             * @description Current content of its /etc/gratm.conf
             * @default
             */
            current: string;
            /** Node */
            node: string;
            /** Site */
            site: string;
        };
        /**
         * HandOverOut
         * @description The file to install on a router manually.
         */
        HandOverOut: {
            /** After */
            after: string;
            /** Before */
            before: string;
            /**
             * Commands
             * @description Commands to run afterwards, in order
             */
            commands: string[];
            /**
             * Diff
             * @description Unified; empty: no difference
             */
            diff: string;
            /** Node */
            node: string;
            /** Path */
            path: string;
            /**
             * Unlike
             * @description Differences of the file: missing or additional content, as sentences
             */
            unlike: string[];
        };
        /**
         * Health
         * @description Health.
         *
         *     degraded: live push, the archive, the standby for reads or one ingest server of several fails; failing:
         *     reports, rules, pages.
         */
        Health: {
            /** @description null: nothing is archived, or the database does not answer */
            archive: components["schemas"]["ArchiveOut"] | null;
            /** Database */
            database: boolean;
            /**
             * Evaluation Age S
             * @description Largest time of any site since its rules were last evaluated, seconds
             */
            evaluation_age_s: number | null;
            /** Failures */
            failures: components["schemas"]["Failure"][];
            /** Ingest */
            ingest: boolean;
            /** Redis */
            redis: boolean;
            /** @description null: BACKSTAY_READ_DB_HOST is not set */
            standby: components["schemas"]["StandbyOut"] | null;
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "degraded" | "failing";
            /** Version */
            version: string;
            /**
             * Worker Seen S
             * @description Seconds since a worker last started the rounds
             */
            worker_seen_s: number | null;
        };
        /**
         * HippiGateway
         * @description One HIPPI-SONET gateway.
         */
        HippiGateway: {
            /**
             * Blocking Factor Ms
             * @description Mean wait of such a packet: the cost of a competing connection
             */
            blocking_factor_ms: number | null;
            /** Buffer Full Ps */
            buffer_full_ps: number | null;
            /**
             * Given Up Ps
             * @description Queues discarded per second because the hold time expired
             */
            given_up_ps: number | null;
            /**
             * Hold Ticks
             * @description Hold time h, ticks; 0: unlimited; null: not reported
             */
            hold_ticks: number | null;
            /**
             * Hold Time
             * @description h as text
             */
            hold_time: string;
            /**
             * Line
             * @description Fault of its SONET line; empty: none
             */
            line: string;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /**
             * Refused Ps
             * @description Connections from its LAN refused per second because its line is down
             */
            refused_ps: number | null;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** Stop Requests Ps */
            stop_requests_ps: number | null;
            /** Url */
            url: string;
            /**
             * Waiting
             * @description Share of time (0..1) in which remote packets waited for a busy destination
             */
            waiting: number | null;
        };
        /**
         * HippiPort
         * @description One port of a HIPPI switch. Rates concern connections requested by the port's own source.
         */
        HippiPort: {
            /**
             * Camp Ons Ps
             * @description Connections that had to wait for a busy destination
             */
            camp_ons_ps: number | null;
            /**
             * Device State
             * @description Port state as the switch reports it; empty: not reported
             */
            device_state: string;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Overruns Ps */
            overruns_ps: number | null;
            /** Port */
            port: string;
            /** Port Id */
            port_id: number | null;
            /**
             * Rejects Ps
             * @description Connections refused by the switch; null: not monitored
             */
            rejects_ps: number | null;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** Url */
            url: string;
        };
        /**
         * HippiReport
         * @description A HIPPI fabric's own report.
         */
        HippiReport: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Blocking Factor Ms
             * @description Largest value of all gateways
             */
            blocking_factor_ms: number | null;
            /** Camp Ons Ps */
            camp_ons_ps: number;
            /** Counters */
            counters: components["schemas"]["FabricCounter"][];
            /** Fabric */
            fabric: string;
            /** Gateways */
            gateways: components["schemas"]["HippiGateway"][];
            /** Headline */
            headline: string;
            /** Ports */
            ports: components["schemas"]["HippiPort"][];
            /** Rejects Ps */
            rejects_ps: number;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /**
             * Window S
             * @description Length of the window of the rates
             */
            window_s: number;
        };
        /**
         * HistoryGapOut
         * @description Time of which archived samples cannot be read.
         */
        HistoryGapOut: {
            /**
             * End
             * @description Unix seconds
             */
            end: number;
            /**
             * Start
             * @description Unix seconds
             */
            start: number;
            /**
             * Text
             * @description Which file, and why
             */
            text: string;
        };
        /**
         * HoldIn
         * @description Body of `POST /nodes/{id}/hold`: leave the node's routes to an operator for a limited time.
         */
        HoldIn: {
            /**
             * Reason
             * @default
             */
            reason: string;
            /**
             * Seconds
             * @default 1800
             */
            seconds: number;
        };
        /**
         * HoldingOut
         * @description A period in which an address had a hardware address in one table.
         */
        HoldingOut: {
            /** Mac */
            mac: string;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** Owner */
            owner: string;
            /** Port */
            port: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * Until
             * @description Null: current
             */
            until: string | null;
        };
        /**
         * HoldOut
         * @description A hold: a node's managed routes are left to an operator and failover is paused.
         */
        HoldOut: {
            /**
             * At
             * Format: date-time
             * @description When it was requested or began
             */
            at: string;
            /** By */
            by: string;
            /**
             * Can End
             * @description Whether it can be ended here: a hold that was set on the node can be ended only there
             */
            can_end: boolean;
            /**
             * Detail
             * @description Last report of the node
             */
            detail: string;
            /**
             * Ended By
             * @description Who ended it early; empty: it was not ended early
             */
            ended_by: string;
            /** Id */
            id: number;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /**
             * Origin
             * @description node: set with `backstay-agent hold`
             * @enum {string}
             */
            origin: "backend" | "node";
            /** Reason */
            reason: string;
            /** Seconds */
            seconds: number;
            /**
             * State
             * @description waiting: the node has not confirmed it; ending: the node has not confirmed its end
             * @enum {string}
             */
            state: "waiting" | "held" | "ending" | "ended" | "failed";
            /**
             * Text
             * @description `held until 14:32 UTC by alice`
             */
            text: string;
            /**
             * Until
             * Format: date-time
             * @description When it ends or ended
             */
            until: string;
        };
        /**
         * HoldQuery
         * @description Filters of `list_holds`.
         */
        HoldQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("open" | "waiting" | "held" | "ending" | "ended" | "failed") | null;
        };
        /**
         * ImpactLink
         * @description A link's load under a failure.
         */
        ImpactLink: {
            /** Bps */
            bps: number;
            /** Link Id */
            link_id: number;
            /** Name */
            name: string;
            /** Utilisation */
            utilisation: number;
        };
        /**
         * ImpactOmitted
         * @description How many entries of an impact's lists are not listed; only plans over thousands of nodes omit any.
         */
        ImpactOmitted: {
            /**
             * Cut Off
             * @default 0
             */
            cut_off: number;
            /**
             * Links
             * @description Less loaded than those that are listed
             * @default 0
             */
            links: number;
            /**
             * Looping
             * @default 0
             */
            looping: number;
            /**
             * Moved
             * @default 0
             */
            moved: number;
        };
        /**
         * ImpactOut
         * @description Impact of one single failure once the plan is deployed.
         */
        ImpactOut: {
            /** Cut Off */
            cut_off: string[];
            /** Failure */
            failure: string;
            /** Id */
            id: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "none" | "node" | "link" | "fabric";
            /**
             * Links
             * @description Links whose load changes, the fullest first
             */
            links: components["schemas"]["ImpactLink"][];
            /** Looping */
            looping: string[];
            /** Moved */
            moved: string[];
            /**
             * @default {
             *       "cut_off": 0,
             *       "looping": 0,
             *       "moved": 0,
             *       "links": 0
             *     }
             */
            omitted: components["schemas"]["ImpactOmitted"];
            /**
             * Seconds
             * @description Time to failover: failure detection and the engine's switch
             */
            seconds: number | null;
            /** Text */
            text: string;
            /**
             * Verdict
             * @enum {string}
             */
            verdict: "holds" | "saturates" | "cuts_off" | "loops";
        };
        /**
         * IncidentChart
         * @description The load of a link around the time of an incident.
         */
        IncidentChart: {
            /** Direction */
            direction: ("forward" | "back") | null;
            /**
             * End
             * @description null: now
             */
            end: string | null;
            /** Link Id */
            link_id: number;
            /**
             * Start
             * Format: date-time
             */
            start: string;
            /**
             * Threshold
             * @description Utilisation
             */
            threshold: number | null;
        };
        /**
         * IncidentCommentOut
         * @description What a person wrote about an incident.
         */
        IncidentCommentOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Author */
            author: string;
            /** Id */
            id: number;
            /** Text */
            text: string;
        };
        /**
         * IncidentDetail
         * @description An incident with its evidence and objects.
         */
        IncidentDetail: {
            /** Acknowledged At */
            acknowledged_at: string | null;
            /** Acknowledged By */
            acknowledged_by: string | null;
            /** Age S */
            age_s: number;
            /**
             * Cause Id
             * @description The root cause
             */
            cause_id: number | null;
            /** @description What to draw around its time; null: nothing is measured */
            chart: components["schemas"]["IncidentChart"] | null;
            /**
             * Comment
             * @description Of the acknowledgement
             */
            comment: string;
            /**
             * Comments
             * @description Oldest first
             */
            comments: components["schemas"]["IncidentCommentOut"][];
            /**
             * Dead Paths
             * @description For a root cause: number of paths without a working gateway
             */
            dead_paths: number[];
            /** Detail */
            detail: string;
            /** Direction */
            direction: ("forward" | "back") | null;
            /**
             * Effects
             * @description Number of incidents that it causes: the open ones, or all once it is resolved
             */
            effects: number;
            /**
             * Evidence
             * @description Supporting observations first
             */
            evidence: components["schemas"]["IncidentEvidence"][];
            /**
             * Flapping Since
             * @description First occurrence, if it came back; `since` is the newest
             */
            flapping_since: string | null;
            /** Id */
            id: number;
            /**
             * Kind
             * @description The rule's kind
             * @enum {string}
             */
            kind: "reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed";
            /**
             * Last Seen
             * Format: date-time
             */
            last_seen: string;
            /** Link Id */
            link_id: number | null;
            /**
             * Muted
             * @description Why it does not notify now; null: it does
             */
            muted: ("snoozed" | "maintenance") | null;
            /**
             * Name
             * @description The object: link, node or path
             */
            name: string;
            /** Node Id */
            node_id: number | null;
            /**
             * Objects
             * @description Its root cause, node, link, policies and the first of its paths; changes of its nodes, from 30 min before it, tests that they took part in, and maintenance windows about it now
             */
            objects: components["schemas"]["IncidentObject"][];
            /**
             * Occurrences
             * @description How often the condition began: more than 1 is flapping
             */
            occurrences: number;
            /**
             * Owner
             * @description User who deals with it
             */
            owner: string | null;
            /** Path Ids */
            path_ids: number[];
            /**
             * Phase
             * @enum {string}
             */
            phase: "open" | "acknowledged" | "resolved";
            /**
             * Quiet Since
             * @description The condition is over; the incident stays open in case it comes back
             */
            quiet_since: string | null;
            /**
             * Rerouted Paths
             * @description For a root cause: number of paths on another gateway
             */
            rerouted_paths: number[];
            /** Resolved At */
            resolved_at: string | null;
            /**
             * Resolves At
             * @description When a quiet incident resolves
             */
            resolves_at: string | null;
            /**
             * Runbook
             * @description File with the steps to take, e.g. docs/runbooks/link-down.md
             */
            runbook: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /** Snoozed By */
            snoozed_by: string | null;
            /**
             * Snoozed Until
             * @description No notifications until then; null: not snoozed
             */
            snoozed_until: string | null;
            /**
             * Standby Paths
             * @description For a root cause: number of paths that lost a standby
             */
            standby_paths: number[];
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
             * @description The value that opened it, e.g. utilisation
             */
            value: number | null;
        };
        /**
         * IncidentEvidence
         * @description One observation for or against the incident.
         */
        IncidentEvidence: {
            /** Age S */
            age_s: number | null;
            /** At */
            at: string | null;
            /**
             * By
             * @description Names of the reporting nodes
             */
            by: string;
            /**
             * Label
             * @description Description of the source
             */
            label: string;
            /**
             * Source
             * @enum {string}
             */
            source: "probe" | "carrier" | "bfd" | "snmp" | "neighbours" | "report" | "external";
            /**
             * Supports
             * @description false: the observation contradicts the incident
             */
            supports: boolean;
            /** Text */
            text: string;
        };
        /**
         * IncidentObject
         * @description One object that an incident is about, with its page.
         */
        IncidentObject: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "node" | "link" | "path" | "policy" | "incident" | "change" | "test_run" | "window";
            /** Name */
            name: string;
            /** Url */
            url: string;
        };
        /**
         * IncidentOut
         * @description One problem of one object, from detection to resolution.
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
             * @description The root cause
             */
            cause_id: number | null;
            /**
             * Comment
             * @description Of the acknowledgement
             */
            comment: string;
            /**
             * Dead Paths
             * @description For a root cause: number of paths without a working gateway
             */
            dead_paths: number[];
            /** Detail */
            detail: string;
            /** Direction */
            direction: ("forward" | "back") | null;
            /**
             * Effects
             * @description Number of incidents that it causes: the open ones, or all once it is resolved
             */
            effects: number;
            /**
             * Flapping Since
             * @description First occurrence, if it came back; `since` is the newest
             */
            flapping_since: string | null;
            /** Id */
            id: number;
            /**
             * Kind
             * @description The rule's kind
             * @enum {string}
             */
            kind: "reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed";
            /**
             * Last Seen
             * Format: date-time
             */
            last_seen: string;
            /** Link Id */
            link_id: number | null;
            /**
             * Muted
             * @description Why it does not notify now; null: it does
             */
            muted: ("snoozed" | "maintenance") | null;
            /**
             * Name
             * @description The object: link, node or path
             */
            name: string;
            /** Node Id */
            node_id: number | null;
            /**
             * Occurrences
             * @description How often the condition began: more than 1 is flapping
             */
            occurrences: number;
            /**
             * Owner
             * @description User who deals with it
             */
            owner: string | null;
            /** Path Ids */
            path_ids: number[];
            /**
             * Phase
             * @enum {string}
             */
            phase: "open" | "acknowledged" | "resolved";
            /**
             * Quiet Since
             * @description The condition is over; the incident stays open in case it comes back
             */
            quiet_since: string | null;
            /**
             * Rerouted Paths
             * @description For a root cause: number of paths on another gateway
             */
            rerouted_paths: number[];
            /** Resolved At */
            resolved_at: string | null;
            /**
             * Resolves At
             * @description When a quiet incident resolves
             */
            resolves_at: string | null;
            /**
             * Runbook
             * @description File with the steps to take, e.g. docs/runbooks/link-down.md
             */
            runbook: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /** Snoozed By */
            snoozed_by: string | null;
            /**
             * Snoozed Until
             * @description No notifications until then; null: not snoozed
             */
            snoozed_until: string | null;
            /**
             * Standby Paths
             * @description For a root cause: number of paths that lost a standby
             */
            standby_paths: number[];
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
             * @description The value that opened it, e.g. utilisation
             */
            value: number | null;
        };
        /**
         * IncidentQuery
         * @description Filters of `list_incidents`.
         */
        IncidentQuery: {
            /**
             * Cause Id
             * @description Only the effects of this incident
             */
            cause_id?: number | null;
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Has Owner */
            has_owner?: boolean | null;
            /** Kind */
            kind?: ("reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed") | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Link Id */
            link_id?: number | null;
            /**
             * Muted
             * @description true: only snoozed ones and those in maintenance; false: only the others
             */
            muted?: boolean | null;
            /** Node */
            node?: string | null;
            /**
             * Owner
             * @description User name
             */
            owner?: string | null;
            /** Phase */
            phase?: ("open" | "acknowledged" | "resolved" | "current") | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Root
             * @description true: only root causes; false: only effects
             */
            root?: boolean | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
        };
        /**
         * IncidentSummary
         * @description The incidents that a list with the same filters has.
         */
        IncidentSummary: {
            /** Count */
            count: number;
            /**
             * Digest
             * @description Identifies exactly these incidents; for `bulk_incidents`
             */
            digest: string;
            /**
             * In Maintenance
             * @description Of all unresolved incidents of the site, without snoozed ones
             */
            in_maintenance: number;
            /**
             * Snoozed
             * @description Of all unresolved incidents of the site
             */
            snoozed: number;
            /**
             * Suppressed
             * @description Findings that opened no incident because of a maintenance window
             */
            suppressed: number;
        };
        /**
         * InfinibandHealth
         * @description A fabric's health report.
         */
        InfinibandHealth: {
            /** Absent */
            absent: string[];
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Cables */
            cables: components["schemas"]["CableVerdict"][];
            /** Counters */
            counters: components["schemas"]["FabricCounter"][];
            /** Degraded */
            degraded: components["schemas"]["DegradedLink"][];
            /** Devices */
            devices: number;
            /** Differences */
            differences: components["schemas"]["ExpectedCable"][];
            /** Errors */
            errors: components["schemas"]["ErrorRate"][];
            /** Fabric */
            fabric: string;
            /** Headline */
            headline: string;
            /**
             * Long S
             * @description Length of the long window, 125 minutes
             */
            long_s: number;
            /** Ports */
            ports: number;
            /**
             * Short S
             * @description Length of the short window, 12 minutes
             */
            short_s: number;
            /** Silent */
            silent: string[];
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /**
             * Subnet Manager
             * @description State of the master subnet manager; empty: not reported
             */
            subnet_manager: string;
            /**
             * Watched S
             * @description Median monitored time of the ports within the long window
             */
            watched_s: number;
        };
        JsonValue: unknown;
        /**
         * LinkBaseline
         * @description A link's usual load in bit/s by the hour of the week, in UTC.
         *
         *     It rests on the same hours of the 8 weeks before each bin.
         */
        LinkBaseline: {
            back: components["schemas"]["DirectionBaseline"];
            forward: components["schemas"]["DirectionBaseline"];
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
         * @description A link's load over time: parallel lists, one entry per bin, oldest first.
         *
         *     A null value is a gap without reports; nothing is interpolated. `mean` and `max` are in bit/s (`max`: peak
         *     of 1 s if the source measures it, else of an interval); p95 over 5-minute bins of the range.
         *
         *     Long ranges, and ranges older than the stored samples, are drawn from roll-ups; then there may be fewer
         *     bins than asked for.
         */
        LinkHistory: {
            /**
             * At
             * @description Start of each bin, Unix seconds
             */
            at: number[];
            /** Back Max */
            back_max: (number | null)[];
            /** Back Mean */
            back_mean: (number | null)[];
            /** Back P95 */
            back_p95: number | null;
            /** @description From hourly roll-ups of the same port; null unless asked for by `baseline=true` */
            baseline: components["schemas"]["LinkBaseline"] | null;
            /**
             * Capacity
             * @description The usable rate as it was in the range
             */
            capacity: components["schemas"]["CapacityStepOut"][];
            /**
             * Coverage
             * @description Observed fraction of the range, 0..1
             */
            coverage: number;
            /** Forward Max */
            forward_max: (number | null)[];
            /** Forward Mean */
            forward_mean: (number | null)[];
            /** Forward P95 */
            forward_p95: number | null;
            /**
             * Gaps
             * @description Days whose archived samples cannot be read
             */
            gaps: components["schemas"]["HistoryGapOut"][];
            /**
             * Level
             * @description Coarsest source of a bin: samples, or roll-ups of 5 minutes, 1 hour or 1 day
             * @enum {string}
             */
            level: "samples" | "5m" | "1h" | "1d";
            /**
             * Measured At
             * @description The port whose counters were used
             */
            measured_at: string;
            /**
             * P95 Exact
             * @description False if p95 is partly estimated from coarser bins, as older 5-minute bins are dropped
             */
            p95_exact: boolean;
            /**
             * Resets
             * @description Times at which a counter restarted, Unix seconds; the end of its bin in roll-ups
             */
            resets: number[];
            /** Step S */
            step_s: number;
            /**
             * Usable Rate
             * @description bit/s now
             */
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
         * @description A link with its ends, load and use.
         */
        LinkOut: {
            /** Age S */
            age_s: number | null;
            back: components["schemas"]["Load"] | null;
            /**
             * Carrier
             * @description As reported by its ports, regardless of open incidents
             * @enum {string}
             */
            carrier: "up" | "down" | "admin_down" | "unknown";
            /**
             * Carries
             * @description Strongest use by the paths over it
             * @enum {string}
             */
            carries: "active" | "dead" | "active_unverified" | "standby_verified" | "standby_not_verified" | "standby_dead" | "unknown" | "none";
            /** Circuit */
            circuit: string;
            /**
             * Conflicts
             * @description For display only: the site file takes precedence, then the most trusted source
             */
            conflicts: components["schemas"]["Conflict"][];
            /**
             * Declared
             * @description Whether it is in the site file; otherwise it was discovered from evidence
             */
            declared: boolean;
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
             * @description Derived from its carrier, open incidents, and unknown facts about its ends
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
         * LinkQuery
         * @description Filters of `list_links`.
         */
        LinkQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Fabric */
            fabric?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
        };
        /**
         * ListQuery
         * @description Query parameters of every list; subclasses add filters. Unknown parameters are rejected (422).
         */
        ListQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * LiveMessage
         * @description What `GET /live` sends: SSE `event:` is `type`, `data:` this object, `id:` resumes after a break.
         *
         *     load: `links` with changed values. changed: refetch `nouns` (e.g. `incidents`).
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
             * @description Peak (1 s) of the interval, if the source measures it
             */
            peak_bps?: number | null;
            /**
             * Utilisation
             * @description 0..1 of the usable rate; may exceed 1 by measurement error
             */
            utilisation: number;
        };
        /**
         * MaintenanceWindowDetail
         * @description A window with its next occurrences and what it covers.
         */
        MaintenanceWindowDetail: {
            /** Age S */
            age_s: number;
            /** Author */
            author: string | null;
            /**
             * Begins At
             * @description Of the current or next occurrence; null: it is over
             */
            begins_at: string | null;
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Duration S */
            duration_s: number;
            /** Ends At */
            ends_at: string | null;
            /**
             * Everything
             * @description Whether it covers the whole site
             */
            everything: boolean;
            /** Excluded */
            excluded: string[];
            /** Id */
            id: number;
            /**
             * Kind
             * @default maintenance-window
             * @constant
             */
            kind: "maintenance-window";
            /** Links */
            links: number;
            /** Mutes Notifications */
            mutes_notifications: boolean;
            /** Name */
            name: string;
            /**
             * Nodes
             * @description Number of nodes that it covers, dependants included
             */
            nodes: number;
            /** Paths */
            paths: number;
            /** Pauses Rules */
            pauses_rules: boolean;
            /** Pauses Tests */
            pauses_tests: boolean;
            /** Reason */
            reason: string;
            /** Rule */
            rule: string;
            /**
             * Since
             * Format: date-time
             * @description Start of the current occurrence, otherwise the last change
             */
            since: string;
            /** Site */
            site: string;
            /**
             * Starts At
             * Format: date-time
             */
            starts_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "active" | "scheduled" | "over";
            /** Targets */
            targets: components["schemas"]["WindowTargetOut"][];
            /**
             * Upcoming
             * @description The current and next ones, ten at most
             */
            upcoming: components["schemas"]["OccurrenceOut"][];
            /** Url */
            url: string;
            /** Zone */
            zone: string;
        };
        /**
         * MaintenanceWindowIn
         * @description Body of `POST /maintenance-windows` and `PUT /maintenance-windows/{id}`.
         */
        MaintenanceWindowIn: {
            /**
             * Duration S
             * @description Elapsed seconds of each occurrence
             */
            duration_s: number;
            /**
             * Excluded
             * @description Local starts that are left out, e.g. 2026-12-24T22:00:00
             */
            excluded?: string[];
            /**
             * Mutes Notifications
             * @description Incidents about its objects do not notify
             * @default true
             */
            mutes_notifications: boolean;
            /** Name */
            name: string;
            /**
             * Pauses Rules
             * @description No incident opens; those raised before still resolve
             * @default false
             */
            pauses_rules: boolean;
            /**
             * Pauses Tests
             * @description No throughput test starts on its objects
             * @default true
             */
            pauses_tests: boolean;
            /**
             * Reason
             * @default
             */
            reason: string;
            /**
             * Rule
             * @description RRULE of RFC 5545, at most daily, in local time of `zone`; empty: once
             * @default
             */
            rule: string;
            /** Site */
            site: string;
            /**
             * Starts At
             * Format: date-time
             * @description Start of the first occurrence
             */
            starts_at: string;
            /** Targets */
            targets: components["schemas"]["WindowTarget"][];
            /**
             * Zone
             * @description IANA time zone, e.g. Europe/Zurich
             * @default UTC
             */
            zone: string;
        };
        /**
         * MaintenanceWindowOut
         * @description A planned time for objects of a site and what depends on them.
         */
        MaintenanceWindowOut: {
            /** Age S */
            age_s: number;
            /** Author */
            author: string | null;
            /**
             * Begins At
             * @description Of the current or next occurrence; null: it is over
             */
            begins_at: string | null;
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Duration S */
            duration_s: number;
            /** Ends At */
            ends_at: string | null;
            /** Excluded */
            excluded: string[];
            /** Id */
            id: number;
            /**
             * Kind
             * @default maintenance-window
             * @constant
             */
            kind: "maintenance-window";
            /** Mutes Notifications */
            mutes_notifications: boolean;
            /** Name */
            name: string;
            /** Pauses Rules */
            pauses_rules: boolean;
            /** Pauses Tests */
            pauses_tests: boolean;
            /** Reason */
            reason: string;
            /** Rule */
            rule: string;
            /**
             * Since
             * Format: date-time
             * @description Start of the current occurrence, otherwise the last change
             */
            since: string;
            /** Site */
            site: string;
            /**
             * Starts At
             * Format: date-time
             */
            starts_at: string;
            /**
             * State
             * @enum {string}
             */
            state: "active" | "scheduled" | "over";
            /** Targets */
            targets: components["schemas"]["WindowTargetOut"][];
            /** Url */
            url: string;
            /** Zone */
            zone: string;
        };
        /**
         * MaintenanceWindowQuery
         * @description Filters of `list_maintenance_windows`.
         */
        MaintenanceWindowQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("active" | "scheduled" | "over") | null;
        };
        /**
         * ManagementOut
         * @description What an administrator released on the node, or what its agent reverted, until an operator clears it.
         */
        ManagementOut: {
            /**
             * By
             * @description The account on the node, or the agent
             */
            by: string;
            /**
             * Cleared By
             * @description Who cleared it, until the node reports the clearance; otherwise empty
             */
            cleared_by: string;
            /**
             * Policies
             * @description The released policies, if the scope is `policies`
             */
            policies: string[];
            /**
             * Scope
             * @enum {string}
             */
            scope: "policies" | "routing" | "everything";
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * State
             * @enum {string}
             */
            state: "released" | "reverted";
            /**
             * Text
             * @description One sentence, including any steps left to do on the node
             */
            text: string;
        };
        /**
         * MatchersModel
         * @description Every field that is not empty must match; of labels all, of other fields one value.
         */
        MatchersModel: {
            /**
             * Fabrics
             * @description Fabrics of the link, or of the node's ports
             */
            fabrics?: string[];
            /** Kinds */
            kinds?: ("reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed")[];
            /** Labels */
            labels?: {
                [key: string]: string;
            };
            /**
             * Roles
             * @description Roles of the node, or of the link's ends
             */
            roles?: string[];
            /** Severities */
            severities?: ("warning" | "critical")[];
            /**
             * Times
             * @description When the route applies; empty: always
             */
            times?: components["schemas"]["WeeklyTimeModel"][];
            /**
             * Zone
             * @description IANA time zone of `times`
             * @default UTC
             */
            zone: string;
        };
        /**
         * MatrixModel
         * @description Parameters: lists are varied, one cell per combination. Parameters that a kind lacks are refused.
         */
        MatrixModel: {
            /**
             * Ack
             * @description request_ack: bytes that the reader returns for each block; null: 4
             */
            ack?: number | null;
            /**
             * Ack Delay
             * @description request_ack: the reader's TCP_QUICKACK (tcp(7)) before each read: unchanged, 1 or 0
             */
            ack_delay?: ("system" | "quick" | "delayed")[] | null;
            /**
             * Amount
             * @description tcp: total bytes of all streams; replaces the duration
             */
            amount?: number | null;
            /**
             * Buffer
             * @description tcp: bytes per write; null: tool default
             */
            buffer?: number[] | null;
            /**
             * Congestion
             * @description tcp: algorithms, by their names in the kernel; null: system default
             */
            congestion?: string[] | null;
            /**
             * Count
             * @description request_ack: blocks per stream; replaces the duration
             */
            count?: number | null;
            /**
             * Device
             * @description rdma: name of the adapter at both ends; null: the first one
             */
            device?: string | null;
            /**
             * Direction
             * @description tcp, udp, rdma: from sender to receiver, back, or both at the same time
             */
            direction?: ("forward" | "reverse" | "both")[] | null;
            /** Duration S */
            duration_s?: number | null;
            /**
             * Header
             * @description request_ack: bytes written separately before each block; null: none
             */
            header?: number | null;
            /**
             * Kind
             * @default tcp
             * @enum {string}
             */
            kind: "tcp" | "udp" | "request_ack" | "ping" | "rdma";
            /**
             * Mss
             * @description tcp: bytes per segment; null: path MSS
             */
            mss?: number[] | null;
            /**
             * Nodelay
             * @description tcp, request_ack: TCP_NODELAY, which turns off Nagle's algorithm (RFC 896)
             */
            nodelay?: boolean[] | null;
            /**
             * Omit S
             * @description tcp: initial seconds excluded from the result (slow start); null: none
             */
            omit_s?: number | null;
            /** Program */
            program?: ("ib_write_bw" | "ib_send_lat")[] | null;
            /**
             * Queue Pairs
             * @description rdma: simultaneous connections; null: 1
             */
            queue_pairs?: number[] | null;
            /**
             * Rate
             * @description tcp: limit in bit/s; null: unlimited. udp: payload rate in bit/s. ping: null: 1
             */
            rate?: number[] | null;
            /**
             * Size
             * @description udp: bytes of payload per datagram; null: 1024. request_ack: bytes between two acknowledgements. ping: bytes of data after the ICMP header; null: 64. rdma: bytes per message; null: 64K
             */
            size?: number[] | null;
            /**
             * Streams
             * @description tcp, udp, request_ack: parallel streams; null: 1
             */
            streams?: number[] | null;
            /**
             * Wait S
             * @description ping: seconds to wait for the last replies; null: 2
             */
            wait_s?: number | null;
            /**
             * Window
             * @description tcp, udp, request_ack: socket buffers in bytes; null: system default
             */
            window?: number[] | null;
        };
        /**
         * MeasuredOut
         * @description The result of a cell; null: not reported.
         */
        MeasuredOut: {
            /** Cpu */
            cpu: components["schemas"]["NodeCpuOut"][];
            /** Cwnd */
            cwnd: number | null;
            /** Cwnd Least */
            cwnd_least: number | null;
            /** Duration S */
            duration_s: number | null;
            /** Loss */
            loss: number | null;
            /** Path Mtu */
            path_mtu: number | null;
            /** Peer Window */
            peer_window: number | null;
            /** Per Stream */
            per_stream: number[];
            /** Pps */
            pps: number | null;
            /** Rate */
            rate: number;
            /** Retransmits */
            retransmits: number | null;
            /** Rtt Least S */
            rtt_least_s: number | null;
            /** Rtt S */
            rtt_s: number | null;
            /**
             * Seconds
             * @description Total of each whole second
             */
            seconds: number[];
            /** Segments */
            segments: number | null;
            stalls: components["schemas"]["StallsOut"] | null;
        };
        /**
         * MediumHop
         * @description One link of the path.
         */
        MediumHop: {
            /** Mtu */
            mtu: number | null;
            /** Name */
            name: string;
            /** Packet Limit */
            packet_limit: number | null;
            /**
             * Production
             * @description Cross traffic; null: not measured
             */
            production: number | null;
            /** Usable */
            usable: number | null;
        };
        /**
         * MediumOut
         * @description Capacity of the path between the ends.
         */
        MediumOut: {
            /** Hops */
            hops: components["schemas"]["MediumHop"][];
            /** Production */
            production: number | null;
            /** Rtt S */
            rtt_s: number | null;
            /** Usable */
            usable: number | null;
        };
        /**
         * MetricLimitIn
         * @description Body of `POST /metric-limits` and `PUT /metric-limits/{id}`.
         */
        MetricLimitIn: {
            /**
             * Above
             * @description Whether a value above the limit is wrong; otherwise one below it
             * @default true
             */
            above: boolean;
            /**
             * Clear At
             * @description An incident resolves on the other side of it
             */
            clear_at: number;
            /**
             * Enabled
             * @default true
             */
            enabled: boolean;
            /**
             * For S
             * @default 60
             */
            for_s: number;
            /**
             * Labels
             * @description Only nodes with all of these labels
             */
            labels?: {
                [key: string]: string;
            };
            /** Metric */
            metric: string;
            /** Name */
            name: string;
            /**
             * Raise At
             * @description In the metric's unit; of a counter per second
             */
            raise_at: number;
            /**
             * Role
             * @description Only nodes of this role; empty: all
             * @default
             */
            role: string;
            /**
             * Severity
             * @default warning
             * @enum {string}
             */
            severity: "warning" | "critical";
            /** Site */
            site: string;
            /**
             * Subject
             * @description Shell pattern of ports or parts; empty: all
             * @default
             */
            subject: string;
        };
        /**
         * MetricLimitOut
         * @description A limit on a device metric.
         */
        MetricLimitOut: {
            /** Above */
            above: boolean;
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Changed By */
            changed_by: string | null;
            /** Clear At */
            clear_at: number;
            /** Enabled */
            enabled: boolean;
            /** For S */
            for_s: number;
            /** Id */
            id: number;
            /** Labels */
            labels: {
                [key: string]: string;
            };
            /** Metric */
            metric: string;
            /** Name */
            name: string;
            /**
             * Origin
             * @enum {string}
             */
            origin: "file" | "operator";
            /** Raise At */
            raise_at: number;
            /** Role */
            role: string;
            /**
             * Severity
             * @enum {string}
             */
            severity: "warning" | "critical";
            /** Subject */
            subject: string;
            /**
             * Title
             * @description Of the metric
             */
            title: string;
            /** Unit */
            unit: string;
        };
        /**
         * MetricOut
         * @description The meaning of one metric.
         */
        MetricOut: {
            /**
             * Error
             * @description A value above zero is an error
             */
            error: boolean;
            /**
             * Good
             * @description Healthy values of a state
             */
            good: string[];
            /**
             * Kind
             * @description growth: a counter's increase; level: the current value; state: one of several names
             * @enum {string}
             */
            kind: "growth" | "level" | "state" | "unknown";
            /**
             * Name
             * @description `family.metric`
             */
            name: string;
            /**
             * Sentence
             * @description Description for an operator
             */
            sentence: string;
            /**
             * Source
             * @description MIB object, counter or manual that it is read from
             */
            source: string;
            /** Title */
            title: string;
            /** Unit */
            unit: string;
        };
        /**
         * MetricQuery
         * @description Filters of `list_metrics`.
         */
        MetricQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Family */
            family?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * MoveIn
         * @description Body of `POST /paths/{id}/move`: keep the path on a gateway for a limited time.
         */
        MoveIn: {
            /** Gateway */
            gateway: string;
            /**
             * Reason
             * @default
             */
            reason: string;
            /**
             * Seconds
             * @default 600
             */
            seconds: number;
        };
        /**
         * MoveOut
         * @description A path kept on a gateway by an operator.
         */
        MoveOut: {
            /**
             * At
             * Format: date-time
             * @description When it was requested
             */
            at: string;
            /** By */
            by: string;
            /**
             * Detail
             * @description Last report of the node
             */
            detail: string;
            /** Drill Id */
            drill_id: number | null;
            /** Gateway */
            gateway: string;
            /** Id */
            id: number;
            /** Reason */
            reason: string;
            /**
             * Returning
             * @description An operator requested the return
             */
            returning: boolean;
            /** Seconds */
            seconds: number;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "moved" | "returned" | "refused" | "failed";
            /**
             * Until
             * @description When the node returns automatically; null: not moved yet
             */
            until: string | null;
        };
        /**
         * NamedVerdict
         * @description One cause and the cells with it.
         */
        NamedVerdict: {
            /** Cells */
            cells: number[];
            /** Name */
            name: string;
            /**
             * Sentence
             * @description Sentence of the cell with the highest confidence
             */
            sentence: string;
        };
        /**
         * NeighbourHistory
         * @description Address history, newest first: `GET /neighbours/history`.
         */
        NeighbourHistory: {
            /** Address */
            address: string;
            /**
             * At
             * @description Only entries valid at this time; null: all
             */
            at: string | null;
            /** Items */
            items: components["schemas"]["HoldingOut"][];
            /**
             * Kept Days
             * @description Retention of ended entries, days
             */
            kept_days: number;
        };
        /**
         * NeighbourOut
         * @description One current entry of a device's ARP or IPv6 neighbour table.
         */
        NeighbourOut: {
            /** Address */
            address: string;
            /** Age S */
            age_s: number;
            /**
             * Held Since
             * Format: date-time
             * @description Start of the address's use of this hardware address
             */
            held_since: string;
            /**
             * Mac
             * @description Empty until resolved
             */
            mac: string;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /**
             * Owner
             * @description `node:port` with this hardware address; empty: unknown
             */
            owner: string;
            /** Port */
            port: string;
            /**
             * State
             * @description reachable, stale, failed, permanent, ...; for SNMP devices dynamic or static
             */
            state: string;
        };
        /**
         * NeighbourQuery
         * @description Filters of `list_neighbours`.
         */
        NeighbourQuery: {
            /** Address */
            address?: string | null;
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Mac */
            mac?: string | null;
            /** Node */
            node?: string | null;
            /** Port */
            port?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: string | null;
        };
        /**
         * NeighbourTable
         * @description One port's part of a device's tables.
         */
        NeighbourTable: {
            /** Age S */
            age_s: number;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Broadcasts Per S
             * @description ARP broadcasts received per second; null: not counted
             */
            broadcasts_per_s: number | null;
            /**
             * Capacity Ipv4
             * @description Capacity of the whole device; null: unknown
             */
            capacity_ipv4: number | null;
            /** Capacity Ipv6 */
            capacity_ipv6: number | null;
            /**
             * Device Share
             * @description All ports' share of the capacity
             */
            device_share: number | null;
            /** Fabric */
            fabric: string | null;
            /**
             * Growth Per S
             * @description New entries per second over the last two intervals
             */
            growth_per_s: number;
            /** Incidents */
            incidents: components["schemas"]["TableIncident"][];
            /**
             * Incomplete
             * @description Entries being resolved or failed
             */
            incomplete: number;
            /**
             * Ipv4
             * @description Learnt entries in any state
             */
            ipv4: number;
            /** Ipv6 */
            ipv6: number;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /**
             * Permanent
             * @description Static entries; they do not count towards the capacity
             */
            permanent: number;
            /** Port */
            port: string;
            /** Recent */
            recent: components["schemas"]["TablePoint"][];
            /**
             * Share
             * @description This port's share of the capacity, 0..1, for the fuller of the two families
             */
            share: number | null;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /**
             * Talker
             * @description Main sender of the broadcasts; empty: there are few
             */
            talker: string;
            /** Talker Owner */
            talker_owner: string;
            /** Talker Share */
            talker_share: number;
            /**
             * Top Mac
             * @description Hardware address with the most entries
             */
            top_mac: string;
            /** Top Mac Entries */
            top_mac_entries: number;
            /** Top Owner */
            top_owner: string;
            /** Url */
            url: string;
        };
        /**
         * NeighbourTableQuery
         * @description Filters of `list_neighbour_tables`.
         */
        NeighbourTableQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * NewCalendarFeedOut
         * @description A new feed.
         */
        NewCalendarFeedOut: {
            /** Author */
            author: string | null;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Id */
            id: number;
            /** Name */
            name: string;
            /**
             * Path
             * @description Path of its address; it is shown only now
             */
            path: string;
            /** Site */
            site: string;
        };
        /**
         * NodeCpuOut
         * @description CPU load of one node during a cell.
         */
        NodeCpuOut: {
            /**
             * Busiest
             * @description Load of the busiest CPU, 0..1
             */
            busiest: number | null;
            /**
             * Busy
             * @description Load in processors: 1 is one fully used processor
             */
            busy: number;
            /** Cores */
            cores: number;
            /** Node */
            node: string;
            /**
             * Role
             * @enum {string}
             */
            role: "endpoint_sender" | "endpoint_receiver" | "gateway";
            /** Softirq */
            softirq: number | null;
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
             * @description Agent that collects it
             */
            agent: string | null;
            /**
             * Clock Offset S
             * @description Offset of its clock from the backend's
             */
            clock_offset_s: number | null;
            /**
             * Clock Text
             * @description `clock 31 d behind`: samples use the backend's clock; empty: it is correct
             */
            clock_text: string;
            /** @description Its routing engine, if managed by Backstay */
            engine: components["schemas"]["EngineKind"] | null;
            /** @description Its role as a gateway; null: not a gateway of any policy */
            gateway: components["schemas"]["GatewayOut"] | null;
            /** @description Null: not held by an operator */
            hold: components["schemas"]["HoldOut"] | null;
            /** Id */
            id: number;
            /** Kind */
            kind: string;
            /** Labels */
            labels: {
                [key: string]: string;
            };
            /** @description Null: nothing is released or reverted */
            management: components["schemas"]["ManagementOut"] | null;
            /** Management Address */
            management_address: string | null;
            /** Name */
            name: string;
            /** Node Number */
            node_number: number | null;
            /**
             * Reporting
             * @enum {string}
             */
            reporting: "reporting" | "not_reporting" | "never" | "not_collected";
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
         * NodeQuery
         * @description Filters of `list_nodes`.
         */
        NodeQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Gateway */
            gateway?: boolean | null;
            /** Kind */
            kind?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
        };
        /**
         * NotificationRouteIn
         * @description Body of `POST /notification-routes` and `PUT /notification-routes/{id}`.
         */
        NotificationRouteIn: {
            /**
             * Continues
             * @description Whether later routes are tried after this one matched
             * @default false
             */
            continues: boolean;
            /**
             * Enabled
             * @default true
             */
            enabled: boolean;
            /**
             * Group Interval S
             * @description Between messages; only a new critical incident may come sooner
             * @default 300
             */
            group_interval_s: number;
            /**
             * Group Wait S
             * @description From the first change to its message: root causes become known
             * @default 10
             */
            group_wait_s: number;
            matchers?: components["schemas"]["MatchersModel"];
            /** Name */
            name: string;
            /**
             * Position
             * @description Routes with a lower position are tried first
             * @default 0
             */
            position: number;
            /**
             * Repeat S
             * @description Between reminders of what nobody acknowledged; 0: none
             * @default 14400
             */
            repeat_s: number;
            /**
             * Send Resolved
             * @default true
             */
            send_resolved: boolean;
            /** Site */
            site: string;
            /**
             * Steps
             * @description The first one at 0 s
             */
            steps: components["schemas"]["StepModel"][];
        };
        /**
         * NotificationRouteOut
         * @description A notification route.
         */
        NotificationRouteOut: {
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Continues */
            continues: boolean;
            /** Enabled */
            enabled: boolean;
            /** Group Interval S */
            group_interval_s: number;
            /** Group Wait S */
            group_wait_s: number;
            /** Id */
            id: number;
            matchers: components["schemas"]["MatchersModel"];
            /** Name */
            name: string;
            /** Position */
            position: number;
            /** Repeat S */
            repeat_s: number;
            /** Send Resolved */
            send_resolved: boolean;
            /** Site */
            site: string;
            /** Steps */
            steps: components["schemas"]["StepOut"][];
        };
        /**
         * NotificationRouteQuery
         * @description Filters of `list_notification_routes`.
         */
        NotificationRouteQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * OccurrenceOut
         * @description One time of a window.
         */
        OccurrenceOut: {
            /**
             * Begins At
             * Format: date-time
             */
            begins_at: string;
            /**
             * Ends At
             * Format: date-time
             */
            ends_at: string;
        };
        /**
         * OutageCause
         * @description What broke a path; if there were several causes, the later member is used.
         * @enum {string}
         */
        OutageCause: "target_dead" | "switch" | "no_route";
        /**
         * OutageMeasure
         * @description How start and end were determined.
         * @enum {string}
         */
        OutageMeasure: "probes" | "route" | "reports";
        /**
         * OutageOut
         * @description An outage of a path: no end-to-end probe was answered, or there was no route.
         */
        OutageOut: {
            cause: components["schemas"]["OutageCause"];
            /** Cause Text */
            cause_text: string;
            /**
             * Duration Ms
             * @description Measured duration; for an ongoing outage, the minimum so far
             */
            duration_ms: number;
            /**
             * End
             * @description Null: ongoing
             */
            end: string | null;
            /** Id */
            id: number;
            /**
             * Measure Text
             * @description `probes every 50 ms, ±50 ms`
             */
            measure_text: string;
            measured_by: components["schemas"]["OutageMeasure"];
            /**
             * Start
             * Format: date-time
             */
            start: string;
            /**
             * Text
             * @description `300 ms`; `at least 10 s, ongoing`; `about 31 s` if it was not measured
             */
            text: string;
            /**
             * Uncertainty Ms
             * @description Largest error of the duration; null: not known
             */
            uncertainty_ms: number | null;
        };
        /**
         * OutageQuery
         * @description Range of `list_policy_outages`.
         */
        OutageQuery: {
            /**
             * By
             * @default day
             * @enum {string}
             */
            by: "day" | "month";
            /**
             * End
             * @default now
             */
            end: string;
            /**
             * Start
             * @description A time, or `now-30d`; default: 30 days, or 12 months
             */
            start?: string | null;
        };
        /**
         * OutageTotalOut
         * @description Outages of a policy's paths in one day or month; overlapping outages of a path count once.
         */
        OutageTotalOut: {
            /**
             * End
             * Format: date-time
             * @description Exclusive; clipped to the range, as is `start`
             */
            end: string;
            /**
             * Observed S
             * @description Time in which the paths were observed, sum over the paths, s
             */
            observed_s: number;
            /**
             * Ongoing
             * @description Paths with an outage that is not over
             */
            ongoing: number;
            /**
             * Outage S
             * @description Sum over the paths, s
             */
            outage_s: number;
            /** Outages */
            outages: number;
            /**
             * Paths
             * @description Paths with an outage
             */
            paths: number;
            /**
             * Start
             * Format: date-time
             */
            start: string;
            /**
             * Text
             * @description `no outage`, `20.35 s on 1 path`, `no data`
             */
            text: string;
            /**
             * Worst Node
             * @description Its node; empty: no outage
             */
            worst_node: string;
            /**
             * Worst S
             * @description Of the path with the longest outage time, s
             */
            worst_s: number;
            /**
             * Worst Text
             * @description `sp01, 20.35 s`; empty: no outage
             */
            worst_text: string;
        };
        /**
         * OverrideModel
         * @description A person who is on call instead of the rotation; the end is exclusive.
         */
        OverrideModel: {
            /**
             * End
             * Format: date-time
             */
            end: string;
            /** Person */
            person: string;
            /**
             * Start
             * Format: date-time
             */
            start: string;
        };
        /**
         * Overview
         * @description The overview page: one database snapshot.
         */
        Overview: {
            /**
             * At
             * Format: date-time
             * @description Time of the snapshot
             */
            at: string;
            /**
             * Awaiting
             * @description Changes that await confirmation, approval or start
             */
            awaiting: number;
            /**
             * Evaluation Late S
             * @description Seconds since the alert rules were last evaluated, if three rounds were missed; null: on time
             */
            evaluation_late_s: number | null;
            /** Headline */
            headline: string;
            /**
             * Held Nodes
             * @description Held nodes: their routes are left to an operator and failover is paused
             */
            held_nodes: number;
            /** Open Incidents */
            open_incidents: number;
            /** Paths Dead */
            paths_dead: number;
            /**
             * Paths On Fallback
             * @description Paths that deliver through a gateway other than the preferred one
             */
            paths_on_fallback: number;
            /**
             * Paths Total
             * @description Paths of deployed policies; the following numbers also count only these
             */
            paths_total: number;
            /**
             * Paths Unknown
             * @description Not observed, or their nodes are not reporting
             */
            paths_unknown: number;
            /** Policies */
            policies: components["schemas"]["PolicyOutcomeOut"][];
            /**
             * Root Causes
             * @description Open incidents that no other open incident causes
             */
            root_causes: number;
            site: components["schemas"]["SiteOut"];
            /** Tiles */
            tiles: components["schemas"]["OverviewTile"][];
            /** Top Links */
            top_links: components["schemas"]["LinkOut"][];
        };
        /**
         * OverviewCountsOut
         * @description The overview's counts, for the navigation of every page: `GET /overview/counts`.
         */
        OverviewCountsOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Awaiting */
            awaiting: number;
            /**
             * Evaluation Late S
             * @description Seconds since the alert rules were last evaluated, if three rounds were missed; null: on time
             */
            evaluation_late_s: number | null;
            /** Open Incidents */
            open_incidents: number;
            /** Root Causes */
            root_causes: number;
        };
        /**
         * OverviewItem
         * @description One line of a tile.
         */
        OverviewItem: {
            /**
             * Confirm By
             * @description Confirmation deadline of a change
             */
            confirm_by?: string | null;
            /** Detail */
            detail: string;
            /**
             * Refusal
             * @description Why you cannot take the action that a change awaits; empty: you can
             * @default
             */
            refusal: string;
            /** Since */
            since: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** Title */
            title: string;
            /**
             * Until
             * @description End of a recent change; null: ongoing, or a single point in time
             */
            until?: string | null;
            /** Url */
            url: string;
        };
        /**
         * OverviewTile
         * @description One tile: count, first items, and the page that lists all.
         */
        OverviewTile: {
            /**
             * As Of
             * @description Time of its source; null: its source has never reported
             */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["OverviewItem"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "problems" | "nearly_full" | "recent_changes" | "awaiting_confirmation" | "not_reporting";
            /**
             * Lag
             * @description Why the tile is older than the page, or incomplete; empty: it is current
             */
            lag: string;
            /** Total */
            total: number;
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
        /** Page[ArpFabricOut] */
        Page_ArpFabricOut_: {
            /** Items */
            items: components["schemas"]["ArpFabricOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[ArpPolicyOut] */
        Page_ArpPolicyOut_: {
            /** Items */
            items: components["schemas"]["ArpPolicyOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[CalendarFeedOut] */
        Page_CalendarFeedOut_: {
            /** Items */
            items: components["schemas"]["CalendarFeedOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[ChangeOut] */
        Page_ChangeOut_: {
            /** Items */
            items: components["schemas"]["ChangeOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[ChannelOut] */
        Page_ChannelOut_: {
            /** Items */
            items: components["schemas"]["ChannelOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[CircuitOut] */
        Page_CircuitOut_: {
            /** Items */
            items: components["schemas"]["CircuitOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[CircuitVersionOut] */
        Page_CircuitVersionOut_: {
            /** Items */
            items: components["schemas"]["CircuitVersionOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[ClockOut] */
        Page_ClockOut_: {
            /** Items */
            items: components["schemas"]["ClockOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[CollectorOut] */
        Page_CollectorOut_: {
            /** Items */
            items: components["schemas"]["CollectorOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[DeliveryOut] */
        Page_DeliveryOut_: {
            /** Items */
            items: components["schemas"]["DeliveryOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[DeviceMetricOut] */
        Page_DeviceMetricOut_: {
            /** Items */
            items: components["schemas"]["DeviceMetricOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[DriftOut] */
        Page_DriftOut_: {
            /** Items */
            items: components["schemas"]["DriftOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[DrillOut] */
        Page_DrillOut_: {
            /** Items */
            items: components["schemas"]["DrillOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[DuplicateOut] */
        Page_DuplicateOut_: {
            /** Items */
            items: components["schemas"]["DuplicateOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[EffectiveRuleOut] */
        Page_EffectiveRuleOut_: {
            /** Items */
            items: components["schemas"]["EffectiveRuleOut"][];
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
        /** Page[ExportOut] */
        Page_ExportOut_: {
            /** Items */
            items: components["schemas"]["ExportOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[ExtensionOut] */
        Page_ExtensionOut_: {
            /** Items */
            items: components["schemas"]["ExtensionOut"][];
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
        /** Page[HoldOut] */
        Page_HoldOut_: {
            /** Items */
            items: components["schemas"]["HoldOut"][];
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
        /** Page[MaintenanceWindowOut] */
        Page_MaintenanceWindowOut_: {
            /** Items */
            items: components["schemas"]["MaintenanceWindowOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[MetricLimitOut] */
        Page_MetricLimitOut_: {
            /** Items */
            items: components["schemas"]["MetricLimitOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[MetricOut] */
        Page_MetricOut_: {
            /** Items */
            items: components["schemas"]["MetricOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[NeighbourOut] */
        Page_NeighbourOut_: {
            /** Items */
            items: components["schemas"]["NeighbourOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[NeighbourTable] */
        Page_NeighbourTable_: {
            /** Items */
            items: components["schemas"]["NeighbourTable"][];
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
        /** Page[NotificationRouteOut] */
        Page_NotificationRouteOut_: {
            /** Items */
            items: components["schemas"]["NotificationRouteOut"][];
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
        /** Page[RecordingOut] */
        Page_RecordingOut_: {
            /** Items */
            items: components["schemas"]["RecordingOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[RuleOut] */
        Page_RuleOut_: {
            /** Items */
            items: components["schemas"]["RuleOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[RuleOverrideOut] */
        Page_RuleOverrideOut_: {
            /** Items */
            items: components["schemas"]["RuleOverrideOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[SavedNode] */
        Page_SavedNode_: {
            /** Items */
            items: components["schemas"]["SavedNode"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[ScheduleOut] */
        Page_ScheduleOut_: {
            /** Items */
            items: components["schemas"]["ScheduleOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[SiteListed] */
        Page_SiteListed_: {
            /** Items */
            items: components["schemas"]["SiteListed"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[TestGridOut] */
        Page_TestGridOut_: {
            /** Items */
            items: components["schemas"]["TestGridOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[TestPlanOut] */
        Page_TestPlanOut_: {
            /** Items */
            items: components["schemas"]["TestPlanOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[TestRunOut] */
        Page_TestRunOut_: {
            /** Items */
            items: components["schemas"]["TestRunOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /** Page[UnmeasuredOut] */
        Page_UnmeasuredOut_: {
            /** Items */
            items: components["schemas"]["UnmeasuredOut"][];
            /**
             * Next
             * @description Cursor of the next page: pass it as ?cursor=
             */
            next?: string | null;
        };
        /**
         * ParametersOut
         * @description One point of the matrix.
         */
        ParametersOut: {
            /** Buffer */
            buffer: number | null;
            /** Congestion */
            congestion: string;
            /**
             * Direction
             * @enum {string}
             */
            direction: "forward" | "reverse" | "both";
            /**
             * Kind
             * @enum {string}
             */
            kind: "tcp" | "udp" | "request_ack" | "ping" | "rdma" | "file";
            /** Mss */
            mss: number | null;
            /** Mtu */
            mtu: number | null;
            /** No Delay */
            no_delay: boolean | null;
            /** Offered Pps */
            offered_pps: number | null;
            /** Offered Rate */
            offered_rate: number | null;
            /**
             * Other
             * @description Varied parameters that have no field here; else empty
             * @default
             */
            other: string;
            /**
             * Program
             * @description Program of an RDMA test; else empty
             * @default
             */
            program: string;
            /** Quick Ack */
            quick_ack: boolean | null;
            /** Receivers */
            receivers: number;
            /** Send Buffer */
            send_buffer: number | null;
            /** Senders */
            senders: number;
            /** Size */
            size: number | null;
            /** Streams */
            streams: number;
            /** Window */
            window: number | null;
        };
        /**
         * PathOut
         * @description The observed path of one node to one policy's prefix.
         */
        PathOut: {
            /**
             * Active
             * @description Gateway in use; empty: no route
             */
            active: string;
            /** Age S */
            age_s: number | null;
            /**
             * Deployed
             * @description Whether a change confirmed this policy on the node
             */
            deployed: boolean;
            detection: components["schemas"]["Detection"];
            /**
             * End To End
             * @description working: the target answered recently; unverified: a route, but no target is probed
             * @enum {string}
             */
            end_to_end: "working" | "unverified" | "dead" | "unknown";
            engine: components["schemas"]["EngineKind"] | null;
            /** @description Null: on the preferred gateway, or the preferred gateway is unreachable */
            failback: components["schemas"]["FailbackOut"] | null;
            /**
             * Fallback 24H S
             * @description Seconds of the last 24 hours not on the preferred gateway
             */
            fallback_24h_s: number;
            /** Gateways */
            gateways: components["schemas"]["GatewayState"][];
            /** @description Null: its node is not held */
            hold: components["schemas"]["HoldOut"] | null;
            /**
             * Hops
             * @description Topology keys from the node to the active gateway and beyond
             */
            hops: string[];
            /** Id */
            id: number;
            /**
             * In Force
             * @description False: no change has deployed its policy on the node; the path is not counted anywhere
             */
            in_force: boolean;
            /**
             * Kind
             * @default path
             * @constant
             */
            kind: "path";
            last_decision: components["schemas"]["DecisionOut"] | null;
            /** @description Null: none recorded */
            last_outage: components["schemas"]["OutageOut"] | null;
            /**
             * Last Outage At
             * @description Its start
             */
            last_outage_at: string | null;
            /**
             * Last Outage Ms
             * @description Duration of the last outage other than 0 ms; while it is ongoing, the minimum so far
             */
            last_outage_ms: number | null;
            /**
             * Links
             * @description Ids of the links along the active path
             */
            links: number[];
            /**
             * Managed
             * @description Whether Backstay may change this node's routes
             */
            managed: boolean;
            /** @description Null: not moved by an operator */
            move: components["schemas"]["MoveOut"] | null;
            /** Name */
            name: string;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /** On Fallback */
            on_fallback: boolean;
            /**
             * Placement
             * @enum {string}
             */
            placement: "preferred" | "fallback" | "held" | "none";
            /** Policy */
            policy: string;
            /** Policy Id */
            policy_id: number;
            /** Preferred */
            preferred: string;
            /** Prefix */
            prefix: string;
            /**
             * Released
             * @description One sentence if it was released on the node or reverted by its agent; otherwise empty
             */
            released: string;
            /** Rtt Ms */
            rtt_ms: number | null;
            /**
             * Saved
             * @description Whether the route survives a reboot
             * @enum {string}
             */
            saved: "yes" | "would change on reboot" | "unknown";
            /** Since */
            since: string | null;
            /**
             * Standby
             * @description State of the best standby gateway
             * @enum {string}
             */
            standby: "verified" | "not verified" | "dead" | "none";
            /**
             * Standby Dead
             * @description Standby gateways that do not answer, or do not forward to the target
             */
            standby_dead: string[];
            /**
             * Standby Links
             * @description Ids of the links used only by standby gateways
             */
            standby_links: number[];
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Switches 7D */
            switches_7d: number;
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
         * PathQuery
         * @description Filters of `list_paths`.
         */
        PathQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /** Policy */
            policy?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
        };
        /**
         * PathSegment
         * @description A period in which a path used one gateway, or in which its node did not report it.
         */
        PathSegment: {
            /**
             * End
             * Format: date-time
             */
            end: string;
            /**
             * Gateway
             * @description Empty: no route, or unknown
             */
            gateway: string;
            /** On Fallback */
            on_fallback: boolean;
            /**
             * Outage Ms
             * @description Outage of the path switch that started it; null: not measured
             */
            outage_ms: number | null;
            /**
             * Start
             * Format: date-time
             */
            start: string;
            /**
             * State
             * @enum {string}
             */
            state: "preferred" | "fallback" | "no_route" | "unknown";
        };
        /**
         * PathTimeline
         * @description Gateways, switches and outages of a path over a range: `GET /paths/timelines`.
         */
        PathTimeline: {
            /**
             * Outages
             * @description Those that overlap the range, oldest first
             */
            outages: components["schemas"]["OutageOut"][];
            /** Path Id */
            path_id: number;
            /**
             * Segments
             * @description Oldest first, without gaps
             */
            segments: components["schemas"]["PathSegment"][];
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * Switches
             * @description Oldest first
             */
            switches: components["schemas"]["SwitchOut"][];
            /**
             * Until
             * Format: date-time
             */
            until: string;
        };
        /**
         * Person
         * @description The signed-in user and role.
         */
        Person: {
            /** Csrf Token */
            csrf_token: string;
            /** Name */
            name: string;
            role: components["schemas"]["Role"];
            /** Username */
            username: string;
        };
        /**
         * PlannedCircuit
         * @description One planned circuit with its labels hop by hop.
         */
        PlannedCircuit: {
            /** A */
            a: string;
            /** B */
            b: string;
            /** Name */
            name: string;
            /**
             * Sides
             * @description `node:port label`, from end to end
             */
            sides: string[];
        };
        /**
         * PlanOut
         * @description A frozen plan.
         */
        PlanOut: {
            /** @description ARP changes; null: none */
            arp?: components["schemas"]["ArpPlanOut"] | null;
            /** Blocked */
            blocked: boolean;
            /** Checks */
            checks: components["schemas"]["CheckOut"][];
            /**
             * Digest
             * @description SHA-256 over inputs and outcome; approve and apply refer to it
             */
            digest: string;
            /** Impacts */
            impacts: components["schemas"]["ImpactOut"][];
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /**
             * Reminders
             * @description Manual steps: what to save on devices that Backstay does not change
             */
            reminders?: string[];
            /** Shapes */
            shapes: components["schemas"]["ShapeOut"][];
            /**
             * Stale
             * @description Whether its inputs have changed since it was made; if so, plan again
             */
            stale: boolean;
            /**
             * Stale Because
             * @default
             */
            stale_because: string;
            /**
             * Summary
             * @description `8 nodes, 2 shapes; 14 checks passed, 1 warning`
             */
            summary: string;
            /** Waves */
            waves: string[][];
        };
        /**
         * PointOut
         * @description Identity of a cell across runs.
         */
        PointOut: {
            /** Buffer */
            buffer: number | null;
            /** Congestion */
            congestion: string;
            /**
             * Direction
             * @enum {string}
             */
            direction: "forward" | "reverse" | "both";
            /**
             * Flows
             * @description Empty: a paper's table
             */
            flows?: components["schemas"]["EndsOut"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "tcp" | "udp" | "request_ack" | "ping" | "rdma" | "file";
            /** Mss */
            mss: number | null;
            /** Mtu */
            mtu: number | null;
            /** No Delay */
            no_delay: boolean | null;
            /** Offered Pps */
            offered_pps: number | null;
            /** Offered Rate */
            offered_rate: number | null;
            /**
             * Other
             * @description Varied parameters that have no field here; else empty
             * @default
             */
            other: string;
            /**
             * Program
             * @description Program of an RDMA test; else empty
             * @default
             */
            program: string;
            /** Quick Ack */
            quick_ack: boolean | null;
            /** Receivers */
            receivers: number;
            /** Send Buffer */
            send_buffer: number | null;
            /** Senders */
            senders: number;
            /** Size */
            size: number | null;
            /** Streams */
            streams: number;
            /** Window */
            window: number | null;
        };
        /**
         * PolicyIn
         * @description Body of `POST /failover-policies` and `PUT /failover-policies/{id}`. Does not change any node.
         */
        PolicyIn: {
            /** @default checker */
            detection: components["schemas"]["Detection"];
            /**
             * Gateways
             * @description In order of preference; empty with a stripe
             */
            gateways?: string[];
            /** Name */
            name: string;
            nodes: components["schemas"]["GroupModel"];
            /**
             * Note
             * @default
             */
            note: string;
            /**
             * Prefix
             * @description Destination, IPv4 or IPv6; 0.0.0.0/0 and ::/0 are the default route
             */
            prefix: string;
            return_path?: components["schemas"]["ReturnPathModel"] | null;
            /** Site */
            site: string;
            stripe?: components["schemas"]["StripeModel"] | null;
            /**
             * Target
             * @description End-to-end target probed through each gateway
             */
            target?: string | null;
            /**
             * @default {
             *       "interval_ms": 50,
             *       "fail_after": 3,
             *       "recover_after": 20,
             *       "hold_down_s": 2,
             *       "revert": "now",
             *       "revert_after_s": 60
             *     }
             */
            timers: components["schemas"]["TimersModel"];
        };
        /**
         * PolicyOut
         * @description A failover policy and its deployment.
         */
        PolicyOut: {
            /**
             * Deletion Refusal
             * @description Why it cannot be deleted now; empty: it can
             * @default
             */
            deletion_refusal: string;
            /**
             * Deployed
             * @description Whether any node has its routes, members or not
             */
            deployed: boolean;
            detection: components["schemas"]["Detection"];
            /**
             * Gateways
             * @description In order of preference; for a stripe, all gateways
             */
            gateways: string[];
            group: components["schemas"]["GroupModel"];
            /** Id */
            id: number;
            /**
             * Kind
             * @default failover_policy
             * @constant
             */
            kind: "failover_policy";
            /** Name */
            name: string;
            /** Nodes */
            nodes: string[];
            /** Note */
            note: string;
            /**
             * Origin
             * @description Where the policy is defined; policies of the site file can be changed only there
             * @enum {string}
             */
            origin: "file" | "operator";
            /** Prefix */
            prefix: string;
            /** Probe Interval Ms */
            probe_interval_ms: number;
            progress: components["schemas"]["PolicyProgress"];
            /**
             * Removal
             * @description The open change that removes it from its nodes
             */
            removal?: number | null;
            return_path: components["schemas"]["ReturnPathModel"] | null;
            /** Site */
            site: string;
            stripe: components["schemas"]["StripeModel"] | null;
            /** Target */
            target: string | null;
            timers: components["schemas"]["TimersModel"];
            /** Url */
            url: string;
        };
        /**
         * PolicyOutagesOut
         * @description Outage time of a policy's paths: `GET /failover-policies/{id}/outages`.
         */
        PolicyOutagesOut: {
            /**
             * By
             * @enum {string}
             */
            by: "day" | "month";
            /**
             * Items
             * @description Oldest first; periods without an outage included
             */
            items: components["schemas"]["OutageTotalOut"][];
            /**
             * Observed S
             * @description Sum over all periods and paths, s
             */
            observed_s: number;
            /**
             * Outage S
             * @description Sum over all periods and paths, s
             */
            outage_s: number;
            /** Policy */
            policy: string;
            /** Policy Id */
            policy_id: number;
            /**
             * Text
             * @description `20.65 s in 2 outages`, `no outage`, `no data`
             */
            text: string;
            /**
             * Timezone
             * @description Days and months begin at 00:00 of this zone
             * @default UTC
             * @constant
             */
            timezone: "UTC";
        };
        /**
         * PolicyOutcomeOut
         * @description The paths of one policy, each counted once: dead, rerouted, unknown or on its preferred gateway.
         */
        PolicyOutcomeOut: {
            /**
             * Active
             * @description Most used first
             */
            active: components["schemas"]["ActiveGateway"][];
            /** Dead */
            dead: number;
            /** Nodes */
            nodes: number;
            /** Policy */
            policy: string;
            /** Policy Id */
            policy_id: number;
            /** Preferred */
            preferred: string;
            /** Prefix */
            prefix: string;
            /**
             * Rerouted
             * @description Paths that deliver through a gateway other than the preferred one
             */
            rerouted: number;
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** State Text */
            state_text: string;
            /** Unknown */
            unknown: number;
            /** Url */
            url: string;
            /**
             * Verified
             * @description Nodes whose target also answers through a standby
             */
            verified: number;
            /**
             * Without Standby
             * @description Nodes whose other gateways are all dead
             */
            without_standby: number;
        };
        /**
         * PolicyProgress
         * @description The deployment of a policy.
         */
        PolicyProgress: {
            /**
             * Confirmed
             * @description Nodes with a confirmed current version
             */
            confirmed: number;
            /**
             * Managed
             * @description Member nodes that Backstay may change
             */
            managed: number;
            /**
             * Not Managed
             * @description Member nodes without an engine in the site file
             */
            not_managed: string[];
            /**
             * Outdated
             * @description Nodes with an earlier version
             */
            outdated: number;
            /** Text */
            text: string;
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
            /**
             * Carrier
             * @enum {string}
             */
            carrier: "up" | "down" | "admin_down" | "unknown";
            /**
             * Contradicted Speed
             * @description Stated by the device, bit/s, but exceeded by its own counters; null if they agree
             */
            contradicted_speed: number | null;
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
            /**
             * In Pps
             * @description Packets per second
             */
            in_pps: number | null;
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
            /**
             * Measured At
             * @description End of the measured interval
             */
            measured_at: string | null;
            /**
             * Measured S
             * @description Length of the measured interval
             */
            measured_s: number | null;
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
            /** Out Pps */
            out_pps: number | null;
            /** Out Utilisation */
            out_utilisation: number | null;
            /** Since */
            since: string | null;
            /**
             * Speed
             * @description Reported by the device, bit/s; 0 if unknown or contradicted
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
             * @description The larger of the two directions
             */
            utilisation: number | null;
        };
        /**
         * PortQuery
         * @description Filters of `list_ports`.
         */
        PortQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Fabric */
            fabric?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** State */
            state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
        };
        /**
         * Problem
         * @description Body of every error response.
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
             * @description The error and the next step
             */
            message: string;
        };
        /**
         * ReceivedOut
         * @description What became of the alerts.
         */
        ReceivedOut: {
            /**
             * Ignored
             * @description Sent by Backstay itself, above the limit, resolved and unknown, or while the rule is off
             */
            ignored: number;
            /** Opened */
            opened: number;
            /** Resolved */
            resolved: number;
            /** Updated */
            updated: number;
        };
        /**
         * ReceiveQuery
         * @description Query of `receive_alerts`.
         */
        ReceiveQuery: {
            /** Site */
            site: string;
        };
        /**
         * RecordingOut
         * @description A recording of an SNMP device: what it returned to its collectors, without names and addresses.
         */
        RecordingOut: {
            /**
             * Asked At
             * Format: date-time
             */
            asked_at: string;
            /**
             * By
             * @description User who asked for it
             */
            by: string;
            /**
             * Bytes
             * @description Size of the file
             */
            bytes: number;
            /** Device */
            device: string;
            /**
             * Download
             * @description Address of the file (snmpsim's format); null: there is none
             */
            download: string | null;
            /** Ended At */
            ended_at: string | null;
            /**
             * Expires At
             * Format: date-time
             * @description When the recording is removed
             */
            expires_at: string;
            /** Filename */
            filename: string;
            /** Id */
            id: number;
            /** Node Id */
            node_id: number;
            /** Objects */
            objects: number;
            /**
             * State
             * @description asked: its agent has not sent the result yet
             * @enum {string}
             */
            state: "asked" | "recorded" | "failed";
            /**
             * Text
             * @description The state as a sentence: why it failed, or what is not whole
             */
            text: string;
        };
        /**
         * RegressionOut
         * @description A run compared with the plan's earlier runs.
         */
        RegressionOut: {
            /** Cells */
            cells: number;
            /**
             * Change
             * @description Relative change: latest / usual - 1
             */
            change: number;
            /** Deviations */
            deviations: number;
            /**
             * Least
             * @description Minimum number of earlier runs for a comparison
             */
            least: number;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "too_few" | "usual" | "slower" | "faster";
            /** Runs */
            runs: number;
            /** Sentence */
            sentence: string;
            /** Slower Cells */
            slower_cells: number;
            /** Usual */
            usual: number;
        };
        /**
         * ReturnPathModel
         * @description The return path: routers that reach the nodes' network through the same gateways, in order.
         */
        ReturnPathModel: {
            /** Prefix */
            prefix: string;
            /** Routers */
            routers: string[];
            /** Target */
            target?: string | null;
        };
        /**
         * Role
         * @description Permissions of a person; each role includes the ones before it.
         * @enum {string}
         */
        Role: "viewer" | "operator" | "approver" | "admin";
        /**
         * RollBackIn
         * @description Body of `POST /changes/{id}/roll-back`.
         */
        RollBackIn: {
            /**
             * Reason
             * @default
             */
            reason: string;
        };
        /**
         * RuleFileOut
         * @description Everything that is set, as sections of the site file.
         */
        RuleFileOut: {
            /** Site */
            site: string;
            /**
             * Text
             * @description YAML: `rules` and `metric_limits`
             */
            text: string;
        };
        /**
         * RuleIn
         * @description Body of `PUT /rules/{kind}`: the settings of the whole site; null and missing: the rule's defaults.
         */
        RuleIn: {
            /** Enabled */
            enabled?: boolean | null;
            /**
             * Parameters
             * @default {}
             */
            parameters: {
                [key: string]: number;
            };
            /** Severity */
            severity?: ("warning" | "critical") | null;
            /** Site */
            site: string;
        };
        /**
         * RuleOut
         * @description A rule at a site. Overrides apply to the object that its incidents are about.
         */
        RuleOut: {
            /**
             * About
             * @enum {string}
             */
            about: "link" | "port" | "node" | "site";
            /** Changed At */
            changed_at: string | null;
            /** Changed By */
            changed_by: string | null;
            /**
             * Enabled
             * @description At the site
             */
            enabled: boolean;
            /** Enabled By Default */
            enabled_by_default: boolean;
            /**
             * Group
             * @enum {string}
             */
            group: "load" | "errors" | "reachability" | "paths" | "devices" | "addresses" | "monitoring";
            /** Group Title */
            group_title: string;
            /**
             * Has Own Severity
             * @description Whether the site sets the severity of all its incidents
             */
            has_own_severity: boolean;
            /** Has Preview */
            has_preview: boolean;
            /**
             * Kind
             * @description The rule's kind
             * @enum {string}
             */
            kind: "reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed";
            /**
             * Lists Unmeasured
             * @description Whether it lists objects whose capacity or value is unknown
             */
            lists_unmeasured: boolean;
            /** Name */
            name: string;
            /** Open Incidents */
            open_incidents: number;
            /**
             * Origin
             * @description file: the site file owns the settings of the site
             * @enum {string}
             */
            origin: "file" | "operator";
            /**
             * Overrides
             * @description Number of overrides for parts of the site
             */
            overrides: number;
            /** Parameters */
            parameters: components["schemas"]["RuleParameterOut"][];
            /** Runbook */
            runbook: string;
            /**
             * Scopes
             * @description Scopes that its overrides may have
             */
            scopes: ("site" | "fabric" | "role" | "label" | "port")[];
            /**
             * Severity
             * @description At the site; a rule may choose it for each incident
             * @enum {string}
             */
            severity: "warning" | "critical";
            /** Summary */
            summary: string;
        };
        /**
         * RuleOverrideIn
         * @description Body of `POST /rules/{kind}/overrides`: replaces the override with the same scope and match.
         */
        RuleOverrideIn: {
            /** Enabled */
            enabled?: boolean | null;
            /**
             * Match
             * @default
             */
            match: string;
            /**
             * Parameters
             * @default {}
             */
            parameters: {
                [key: string]: number;
            };
            /**
             * Scope
             * @enum {string}
             */
            scope: "site" | "fabric" | "role" | "label" | "port";
            /** Severity */
            severity?: ("warning" | "critical") | null;
            /** Site */
            site: string;
        };
        /**
         * RuleOverrideOut
         * @description Settings of a rule for a part of a site; null and missing: those of a less specific override.
         */
        RuleOverrideOut: {
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Changed By */
            changed_by: string | null;
            /** Enabled */
            enabled: boolean | null;
            /** Id */
            id: number;
            /**
             * Kind
             * @description The rule's kind
             * @enum {string}
             */
            kind: "reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed";
            /** Match */
            match: string;
            /**
             * Name
             * @description `role compute`
             */
            name: string;
            /**
             * Origin
             * @enum {string}
             */
            origin: "file" | "operator";
            /** Parameters */
            parameters: {
                [key: string]: number;
            };
            /**
             * Scope
             * @enum {string}
             */
            scope: "site" | "fabric" | "role" | "label" | "port";
            /** Severity */
            severity: ("warning" | "critical") | null;
        };
        /**
         * RuleParameterOut
         * @description One parameter of a rule; `value`: at the site.
         */
        RuleParameterOut: {
            /** Default */
            default: number;
            /** Help */
            help: string;
            /** Label */
            label: string;
            /** Maximum */
            maximum: number;
            /** Minimum */
            minimum: number;
            /** Name */
            name: string;
            /**
             * Type
             * @enum {string}
             */
            type: "number" | "integer";
            /**
             * Unit
             * @description share: 0..1 of a capacity; s: seconds; h: hours
             * @enum {string}
             */
            unit: "" | "share" | "s" | "h" | "samples" | "errors" | "entries" | "reports" | "1/s" | "packets/s" | "%";
            /** Value */
            value: number;
            /**
             * Whole Site
             * @description Whether overrides for a part of the site cannot have it
             */
            whole_site: boolean;
        };
        /**
         * RulePreviewCount
         * @description One object, and how many incidents it would have had.
         */
        RulePreviewCount: {
            /** Incidents */
            incidents: number;
            /** Name */
            name: string;
        };
        /**
         * RulePreviewOut
         * @description How often settings would have opened an incident.
         */
        RulePreviewOut: {
            /**
             * End
             * Format: date-time
             */
            end: string;
            /** Incidents */
            incidents: number;
            /**
             * Notes
             * @description What could not be read, or differs from the evaluation
             */
            notes: string[];
            /**
             * Objects
             * @description That the settings apply to
             */
            objects: number;
            /**
             * Read
             * @description With values in this time
             */
            read: number;
            /**
             * Start
             * Format: date-time
             */
            start: string;
            /** Worst */
            worst: components["schemas"]["RulePreviewCount"][];
        };
        /**
         * RuleQuery
         * @description Filters of `list_rules`.
         */
        RuleQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /** Group */
            group?: ("load" | "errors" | "reachability" | "paths" | "devices" | "addresses" | "monitoring") | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * SavedItem
         * @description One property of one port.
         */
        SavedItem: {
            /** Port */
            port: string;
            /** Running */
            running: string;
            /**
             * Saved
             * @description Value in the boot files; empty: none
             */
            saved: string;
            /**
             * Verdict
             * @description unknown: not set in any boot file that is read; another file may set it
             * @enum {string}
             */
            verdict: "saved" | "differs" | "unknown";
            /**
             * What
             * @enum {string}
             */
            what: "mtu" | "state" | "address";
        };
        /**
         * SavedNode
         * @description One node or device.
         */
        SavedNode: {
            /**
             * Files
             * @description Boot files that are read; empty: none
             */
            files: string[];
            /**
             * Items
             * @description Settings that a reboot would change come first
             */
            items: components["schemas"]["SavedItem"][];
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /**
             * Reminders
             * @description Manual steps for what cannot be read
             */
            reminders: string[];
            /**
             * Reported
             * @description The device's own save status, verbatim
             */
            reported: string[];
            /**
             * State
             * @enum {string}
             */
            state: "ok" | "warning" | "critical" | "unknown" | "disabled";
            /** Text */
            text: string;
            /** Url */
            url: string;
        };
        /**
         * SavedStateQuery
         * @description Filters of `list_saved_state`.
         */
        SavedStateQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Node */
            node?: string | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * ScheduleIn
         * @description Body of `POST /schedules` and `PUT /schedules/{id}`.
         */
        ScheduleIn: {
            /**
             * Days
             * @description Days of one shift
             * @default 7
             */
            days: number;
            /**
             * Handover
             * @description HH:MM on the zone's clock
             * @default 09:00
             */
            handover: string;
            /** Name */
            name: string;
            /**
             * Overrides
             * @description The last one that applies counts
             */
            overrides?: components["schemas"]["OverrideModel"][];
            /**
             * People
             * @description In order of rotation
             */
            people: string[];
            /**
             * Restrictions
             * @description When somebody is on call; empty: always
             */
            restrictions?: components["schemas"]["WeeklyTimeModel"][];
            /** Site */
            site: string;
            /**
             * Starts On
             * Format: date
             * @description Day on which the first person begins
             */
            starts_on: string;
            /**
             * Zone
             * @description IANA time zone
             * @default UTC
             */
            zone: string;
        };
        /**
         * ScheduleOut
         * @description A schedule and who is on call.
         */
        ScheduleOut: {
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Days */
            days: number;
            /** Handover */
            handover: string;
            /** Id */
            id: number;
            /** Name */
            name: string;
            /**
             * On Call
             * @description The person on call now; null: nobody
             */
            on_call: string | null;
            /** Overrides */
            overrides: components["schemas"]["OverrideModel"][];
            /** People */
            people: string[];
            /** Restrictions */
            restrictions: components["schemas"]["WeeklyTimeModel"][];
            /**
             * Shifts
             * @description The current shift of the rotation and those that follow
             */
            shifts: components["schemas"]["ShiftOut"][];
            /** Site */
            site: string;
            /**
             * Starts On
             * Format: date
             */
            starts_on: string;
            /**
             * Without Channel
             * @description People who have no enabled channel of their own
             */
            without_channel: string[];
            /** Zone */
            zone: string;
        };
        /**
         * ScheduleQuery
         * @description Filters of `list_schedules`.
         */
        ScheduleQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * ShapeOut
         * @description Nodes with identical changes, represented by one of them.
         */
        ShapeOut: {
            /** Differences */
            differences: components["schemas"]["DifferenceOut"][];
            engine: components["schemas"]["EngineKind"];
            /** Files */
            files: components["schemas"]["FileDiffOut"][];
            /** Nodes */
            nodes: string[];
        };
        /**
         * ShiftOut
         * @description One person's time of the rotation.
         */
        ShiftOut: {
            /**
             * End
             * Format: date-time
             */
            end: string;
            /** Person */
            person: string;
            /**
             * Start
             * Format: date-time
             */
            start: string;
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
         * SiteFileError
         * @description One error in a site file.
         */
        SiteFileError: {
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
         * SiteFileRefused
         * @description A rejected site file or request; nothing was imported.
         */
        SiteFileRefused: {
            /** Code */
            code: string;
            /**
             * Errors
             * @description Errors in the file; absent: `fields` names the invalid fields
             * @default []
             */
            errors: components["schemas"]["SiteFileError"][];
            /** Fields */
            fields?: {
                [key: string]: string;
            };
            /**
             * Message
             * @description The error and the next step
             */
            message: string;
        };
        /**
         * SiteFileReport
         * @description Result of an import or a dry run.
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
         * SiteListed
         * @description A site in a list.
         */
        SiteListed: {
            /** Id */
            id: number;
            /**
             * Imported At
             * Format: date-time
             */
            imported_at: string;
            /** Interval S */
            interval_s: number;
            /**
             * Last Reported At
             * @description Latest report from any of its nodes; null: none yet
             */
            last_reported_at: string | null;
            /** Name */
            name: string;
            /**
             * Rate Scale
             * @description Lab only: factor from real rates to rates on the wire; 1 at a real site
             */
            rate_scale: number;
            /** Title */
            title: string;
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
             * @description Lab only: factor from real rates to rates on the wire; 1 at a real site
             */
            rate_scale: number;
            /** Title */
            title: string;
        };
        /**
         * Snooze
         * @description Body of `POST /incidents/{id}/snooze`: until a time, or for a time; neither ends the snooze.
         */
        Snooze: {
            /**
             * Comment
             * @default
             */
            comment: string;
            /**
             * For S
             * @description Seconds from now, instead of `until`
             */
            for_s?: number | null;
            /**
             * Until
             * @description At most 30 days from now
             */
            until?: string | null;
        };
        /**
         * StageChecksOut
         * @description Number of checks of one stage.
         */
        StageChecksOut: {
            /** Good */
            good: number;
            /**
             * Stage
             * @enum {string}
             */
            stage: "" | "checked" | "applied" | "probed" | "verified" | "saved" | "restored";
            /** Total */
            total: number;
        };
        /**
         * StallsOut
         * @description Pauses between a block and its acknowledgement.
         */
        StallsOut: {
            /** Count */
            count: number;
            /** Out Of */
            out_of: number;
            /** Typical S */
            typical_s: number;
        };
        /**
         * StandbyOut
         * @description The standby for reads, as this web process finds it.
         */
        StandbyOut: {
            /**
             * Answers
             * @description Which server answers lists, history and exports; what it shows is never older
             * @enum {string}
             */
            answers: "standby" | "primary";
            /**
             * Behind Bytes
             * @description Log that it has not replayed; null: unknown
             */
            behind_bytes: number | null;
            /**
             * Lag S
             * @description Seconds until it had replayed what the primary had written; null: not within the limit
             */
            lag_s: number | null;
            /**
             * Limit S
             * @description The limit: BACKSTAY_READ_DB_LAG_S
             */
            limit_s: number;
        };
        /**
         * StepModel
         * @description Who is notified, and how long after the first message if nobody has acknowledged.
         */
        StepModel: {
            /** After S */
            after_s: number;
            /** Channels */
            channels?: number[];
            /**
             * Schedules
             * @description The person on call, by their own channels
             */
            schedules?: number[];
        };
        /**
         * StepOut
         * @description A step with the names of its targets.
         */
        StepOut: {
            /** After S */
            after_s: number;
            /** Channels */
            channels: number[];
            /** Schedules */
            schedules: number[];
            /**
             * Targets
             * @description Names of the channels and schedules
             */
            targets: string[];
        };
        /**
         * StorageDiskOut
         * @description A disk that history is on.
         */
        StorageDiskOut: {
            /**
             * Free Bytes
             * @description null: unknown
             */
            free_bytes: number | null;
            /**
             * Full At
             * @description null: unknown, or not within 100 years
             */
            full_at: string | null;
            /**
             * Name
             * @enum {string}
             */
            name: "database" | "archive" | "database and archive";
            /**
             * Why Unknown
             * @description Why the free space or the day is unknown; empty: both are known
             */
            why_unknown: string;
        };
        /**
         * StorageLevelOut
         * @description One level of history, at the site and in all.
         */
        StorageLevelOut: {
            /** All Sites Bytes */
            all_sites_bytes: number;
            /** All Sites Predicted Bytes */
            all_sites_predicted_bytes: number | null;
            /**
             * Bytes
             * @description Of the site: of the archive its own files, of tables a part by its number of ports
             */
            bytes: number;
            /**
             * Daily Bytes
             * @description Growth each day, until as much is removed; null: no whole day is stored yet
             */
            daily_bytes: number | null;
            /**
             * Days
             * @description Days that the site keeps it; 0: for ever
             */
            days: number;
            /**
             * Is Own
             * @description Whether the site's file sets them; otherwise the installation does
             */
            is_own: boolean;
            /**
             * Level
             * @enum {string}
             */
            level: "samples" | "5m" | "1h" | "1d" | "archive";
            /**
             * Predicted Bytes
             * @description Once as much is removed as added; null: without limit, or the growth is not known
             */
            predicted_bytes: number | null;
        };
        /**
         * StorageOut
         * @description Disk use of history, its prediction, and the archive's state.
         */
        StorageOut: {
            /** @description null: nothing is archived */
            archive: components["schemas"]["ArchiveOut"] | null;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Database Bytes
             * @description Of the whole database, with all other tables
             */
            database_bytes: number;
            /** Disks */
            disks: components["schemas"]["StorageDiskOut"][];
            /** Levels */
            levels: components["schemas"]["StorageLevelOut"][];
            /** Site */
            site: string;
        };
        /**
         * StripeModel
         * @description Nodes spread over parallel gateways.
         */
        StripeModel: {
            /**
             * Backups
             * @default 1
             */
            backups: number;
            /**
             * Balance
             * @default count
             * @enum {string}
             */
            balance: "count" | "weight" | "load";
            /**
             * By Label
             * @description Nodes with the same value of this label stay together, e.g. quadrant
             * @default
             */
            by_label: string;
            /** Gateways */
            gateways: string[];
            /**
             * Weights
             * @description Weight of each gateway
             */
            weights?: {
                [key: string]: number;
            };
        };
        /**
         * StripeOut
         * @description Current distribution of a stripe: `POST /failover-policies/stripe-preview`, body `PolicyIn`.
         */
        StripeOut: {
            /**
             * Imbalance
             * @description Largest share over the mean, minus 1
             */
            imbalance: number;
            /** Shares */
            shares: components["schemas"]["StripeShare"][];
        };
        /**
         * StripeShare
         * @description One gateway's part of a stripe.
         */
        StripeShare: {
            /**
             * Bps
             * @description Current traffic of its nodes, bit/s
             */
            bps: number;
            /** Gateway */
            gateway: string;
            /**
             * If Lost
             * @description Backup gateway -> nodes that it would take over
             */
            if_lost: {
                [key: string]: number;
            };
            /** Nodes */
            nodes: string[];
            /**
             * Share
             * @description 0..1 of the weight, nodes or load, depending on the balancing method
             */
            share: number;
            /**
             * Takes Over
             * @description The same with the resulting load of each backup
             */
            takes_over: components["schemas"]["StripeTakeOver"][];
            /**
             * Usable Bps
             * @description Capacity of the gateway per direction, bit/s
             */
            usable_bps: number | null;
            /**
             * Utilisation
             * @description Share of the capacity that is used, in the larger direction
             */
            utilisation: number | null;
        };
        /**
         * StripeTakeOver
         * @description Load of a backup after the failure of another gateway, including its own nodes.
         */
        StripeTakeOver: {
            /**
             * Bps
             * @description Larger direction at the current load, bit/s
             */
            bps: number;
            /** Gateway */
            gateway: string;
            /**
             * Nodes
             * @description Nodes that it would take over
             */
            nodes: number;
            /**
             * Utilisation
             * @description Share of its capacity; 1 and above is full; null: unknown
             */
            utilisation: number | null;
        };
        /**
         * SuspectOut
         * @description The suspect indicated by the pattern.
         */
        SuspectOut: {
            /** Host */
            host: string;
            /** Peer */
            peer: string;
            /** Rate */
            rate: number;
            /** Sentence */
            sentence: string;
            /**
             * Side
             * @enum {string}
             */
            side: "sends" | "receives" | "both" | "path";
        };
        /**
         * SwitchOut
         * @description A path moved between gateways.
         */
        SwitchOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * From Gateway
             * @description Empty: no route
             */
            from_gateway: string;
            /**
             * Outage Ms
             * @description 0: no probe was lost; null: not measured, or not yet
             */
            outage_ms: number | null;
            /**
             * Outage Text
             * @description `131 ms`, `no outage`; empty: not measured, or not yet
             */
            outage_text: string;
            /**
             * To Gateway
             * @description Empty: no route
             */
            to_gateway: string;
        };
        /**
         * SwitchPortOut
         * @description A switch port of a node frame.
         */
        SwitchPortOut: {
            /** Frame */
            frame: number;
            /**
             * Owner
             * @description Node that uses the port or its slot; empty: none
             */
            owner: string;
            /** Slot */
            slot: number;
            /** Text */
            text: string;
            /**
             * Use
             * @description covered: next to a wide or high node, the best ones; empty: no node is in the slot
             * @enum {string}
             */
            use: "used" | "covered" | "empty";
        };
        /**
         * TableIncident
         * @description An open incident about a table.
         */
        TableIncident: {
            /** Id */
            id: number;
            /**
             * Kind
             * @description The rule's kind
             * @enum {string}
             */
            kind: "reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed";
            /** Severity */
            severity: string;
            /** Title */
            title: string;
            /** Url */
            url: string;
        };
        /**
         * TablePoint
         * @description A table's entries at a time.
         */
        TablePoint: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Entries */
            entries: number;
        };
        /**
         * TableReadingOut
         * @description The newest read of one SNMP table, or of several that are walked together.
         */
        TableReadingOut: {
            /**
             * Columns
             * @description Requested columns
             */
            columns: number;
            /**
             * Duration Ms
             * @description Duration of the read when it was last reported
             */
            duration_ms: number;
            /**
             * Error
             * @description Why the newest read is not whole; empty: it is
             */
            error: string;
            /**
             * Interruptions
             * @description How often a time limit or a lost answer ended the read early; the next one continues it
             */
            interruptions: number;
            /**
             * Not Understood
             * @description Rows left out, or kept without a known port, by reason
             */
            not_understood: components["schemas"]["UnclearRowsOut"][];
            /**
             * Results
             * @description Ports, metrics or neighbours that these rows yielded; null: not counted for this table
             */
            results: number | null;
            /**
             * Rows
             * @description Rows that the device returned in the last whole read
             */
            rows: number;
            /** Table */
            table: string;
        };
        /**
         * TargetKind
         * @description What a window may be about.
         * @enum {string}
         */
        TargetKind: "site" | "fabric" | "node" | "port" | "link" | "policy";
        /**
         * TestAssignmentOut
         * @description One node's part in a cell.
         */
        TestAssignmentOut: {
            /** Command */
            command: string;
            /** Detail */
            detail: string;
            /** Ended */
            ended: string | null;
            /** Flow */
            flow: number;
            /**
             * Host
             * @description CPU load over the test, percent
             */
            host: {
                [key: string]: unknown;
            } | null;
            /** Id */
            id: number;
            /**
             * Late Ms
             * @description Delay after the common start time, by the corrected clock
             */
            late_ms: number | null;
            /** Node */
            node: string;
            /** Node Id */
            node_id: number;
            /**
             * Ports
             * @description Counter growth over the test
             */
            ports: {
                [key: string]: unknown;
            }[];
            /** Program */
            program: string;
            /** Reported At */
            reported_at: string | null;
            /**
             * Result
             * @description Result as reported by the agent
             */
            result: {
                [key: string]: unknown;
            } | null;
            /**
             * Role
             * @enum {string}
             */
            role: "server" | "client" | "observer";
            /** Started */
            started: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "asked" | "accepted" | "running" | "done" | "missing_tool" | "wrong_version" | "refused" | "port_busy" | "killed" | "peer_gone" | "truncated" | "timed_out" | "cancelled" | "lost_agent" | "aborted_by_load" | "failed";
        };
        /**
         * TestCellDetail
         * @description A cell with the report of each node.
         */
        TestCellDetail: {
            /** Assignments */
            assignments: components["schemas"]["TestAssignmentOut"][];
            /** Detail */
            detail: string;
            /** Ended At */
            ended_at: string | null;
            /** Expected S */
            expected_s: number | null;
            /** Flows */
            flows: components["schemas"]["FlowOut"][];
            /** Index */
            index: number;
            /** Key */
            key: string;
            measured: components["schemas"]["MeasuredOut"] | null;
            medium: components["schemas"]["MediumOut"];
            parameters: components["schemas"]["ParametersOut"];
            /** Rate */
            rate: number | null;
            /** Start At */
            start_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "missing_tool" | "wrong_version" | "refused" | "port_busy" | "killed" | "peer_gone" | "truncated" | "timed_out" | "cancelled" | "lost_agent" | "aborted_by_load" | "failed";
            /**
             * Used
             * @description Share of the available rate, 0..1
             */
            used: number | null;
            verdict: components["schemas"]["CellVerdictOut"] | null;
        };
        /**
         * TestCellOut
         * @description One point of a run's matrix and its result.
         */
        TestCellOut: {
            /** Detail */
            detail: string;
            /** Ended At */
            ended_at: string | null;
            /** Expected S */
            expected_s: number | null;
            /** Flows */
            flows: components["schemas"]["FlowOut"][];
            /** Index */
            index: number;
            /** Key */
            key: string;
            measured: components["schemas"]["MeasuredOut"] | null;
            medium: components["schemas"]["MediumOut"];
            parameters: components["schemas"]["ParametersOut"];
            /** Rate */
            rate: number | null;
            /** Start At */
            start_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "missing_tool" | "wrong_version" | "refused" | "port_busy" | "killed" | "peer_gone" | "truncated" | "timed_out" | "cancelled" | "lost_agent" | "aborted_by_load" | "failed";
            /**
             * Used
             * @description Share of the available rate, 0..1
             */
            used: number | null;
            verdict: components["schemas"]["CellVerdictOut"] | null;
        };
        /**
         * TestGridOut
         * @description Rates between all ends in both directions, from the latest run with results of a mesh plan.
         */
        TestGridOut: {
            /** Age S */
            age_s: number;
            /** Cells */
            cells: components["schemas"]["GridCellOut"][];
            /** Hosts */
            hosts: string[];
            /** Id */
            id: number;
            /**
             * Kind
             * @default test-grid
             * @constant
             */
            kind: "test-grid";
            /** Name */
            name: string;
            /** Plan Id */
            plan_id: number;
            /** Run */
            run: string;
            /** Sentence */
            sentence: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /** Site */
            site: string;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "waiting" | "running" | "done" | "cancelled" | "failed";
            /** Suspects */
            suspects: components["schemas"]["SuspectOut"][];
            /** Url */
            url: string;
            /** Usual */
            usual: number;
        };
        /**
         * TestPlanIn
         * @description Body of `POST /test-plans` and `PUT /test-plans/{id}`.
         */
        TestPlanIn: {
            /**
             * Budget Bytes
             * @description Bytes per day, UTC
             */
            budget_bytes?: number | null;
            /**
             * Budget S
             * @description Test seconds per day, UTC
             */
            budget_s?: number | null;
            /**
             * Enabled
             * @description Whether its schedule is active
             * @default true
             */
            enabled: boolean;
            /**
             * Fabric
             * @description Fabric whose addresses are used; empty: the first one that the ends share
             * @default
             */
            fabric: string;
            matrix: components["schemas"]["MatrixModel"];
            /** Name */
            name: string;
            /**
             * Note
             * @default
             */
            note: string;
            /**
             * Priority
             * @description Higher values run first
             * @default 5
             */
            priority: number;
            /**
             * Quiet Percent
             * @description Cross traffic, percent of the usable rate, above which a test waits or is aborted
             */
            quiet_percent?: number | null;
            /**
             * Receivers
             * @description Empty for n_way and mesh: every end sends and receives
             */
            receivers?: string[];
            /**
             * Repeats
             * @default 1
             */
            repeats: number;
            /**
             * Schedule
             * @description Five fields of crontab(5), UTC; empty: on request
             * @default
             */
            schedule: string;
            /** Senders */
            senders: string[];
            /**
             * Shape
             * @default pair
             * @enum {string}
             */
            shape: "pair" | "n_pairs" | "many_to_one" | "one_to_many" | "n_way" | "mesh";
            /** Site */
            site: string;
        };
        /**
         * TestPlanOut
         * @description A plan with the progress of its latest run.
         */
        TestPlanOut: {
            /** Age S */
            age_s: number;
            /** Author */
            author: string;
            /** Budget Bytes */
            budget_bytes: number | null;
            /** Budget S */
            budget_s: number | null;
            /**
             * Cells
             * @description Cells per run
             */
            cells: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Enabled */
            enabled: boolean;
            /** Fabric */
            fabric: string;
            /** Id */
            id: number;
            /**
             * Kind
             * @default test-plan
             * @constant
             */
            kind: "test-plan";
            last_run: components["schemas"]["TestRunOut"] | null;
            matrix: components["schemas"]["MatrixModel"];
            /** May Run */
            may_run: boolean;
            /** Name */
            name: string;
            /** Next At */
            next_at: string | null;
            /** Note */
            note: string;
            /** Priority */
            priority: number;
            /** Quiet Percent */
            quiet_percent: number | null;
            /** Receivers */
            receivers: string[];
            /** Repeats */
            repeats: number;
            /** Runs */
            runs: number;
            /** Schedule */
            schedule: string;
            /** Senders */
            senders: string[];
            /**
             * Shape
             * @enum {string}
             */
            shape: "pair" | "n_pairs" | "many_to_one" | "one_to_many" | "n_way" | "mesh";
            /**
             * Since
             * Format: date-time
             * @description Start of the run in progress, otherwise the last change of the plan
             */
            since: string;
            /** Site */
            site: string;
            /**
             * State
             * @enum {string}
             */
            state: "idle" | "queued" | "waiting" | "running" | "disabled";
            /** State Text */
            state_text: string;
            /** Url */
            url: string;
        };
        /**
         * TestPlanQuery
         * @description Filters of `list_test_plans`.
         */
        TestPlanQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /** Shape */
            shape?: ("pair" | "n_pairs" | "many_to_one" | "one_to_many" | "n_way" | "mesh") | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
        };
        /**
         * TestRunDetail
         * @description A run with all cells.
         */
        TestRunDetail: {
            /** Age S */
            age_s: number;
            /**
             * Asked
             * @description The plan at the time of the run
             */
            asked: {
                [key: string]: unknown;
            };
            /** Asked At */
            asked_at: string | null;
            /** Began At */
            began_at: string | null;
            /** Cells */
            cells: components["schemas"]["TestCellOut"][];
            /**
             * Cells Bad
             * @description Cells that ended without result
             */
            cells_bad: number;
            /** Cells Over */
            cells_over: number;
            /** Cells Total */
            cells_total: number;
            citation: components["schemas"]["CitationOut"] | null;
            /** Conclusions */
            conclusions: components["schemas"]["ConclusionOut"][];
            /** Ended At */
            ended_at: string | null;
            /**
             * Id
             * @description A number, or a paper table's name such as cern96.fig4
             */
            id: string;
            /**
             * Kind
             * @default test-run
             * @constant
             */
            kind: "test-run";
            /** May Cancel */
            may_cancel: boolean;
            /** Name */
            name: string;
            /** Outcome */
            outcome: string;
            /**
             * Person
             * @description Empty: started by the schedule
             */
            person: string;
            /** Plan */
            plan: string;
            /** Plan Id */
            plan_id: number | null;
            /**
             * Progress
             * @description Fraction done, 0..1
             */
            progress: number;
            regression: components["schemas"]["RegressionOut"] | null;
            /**
             * Remaining S
             * @description Estimated remaining run time, without waiting; null: ended
             */
            remaining_s: number | null;
            /**
             * Shape
             * @description Empty: a paper's table
             */
            shape: ("pair" | "n_pairs" | "many_to_one" | "one_to_many" | "n_way" | "mesh") | "";
            /** Since */
            since: string | null;
            /** Site */
            site: string;
            /**
             * Source
             * @enum {string}
             */
            source: "lab" | "live" | "paper";
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "waiting" | "running" | "done" | "cancelled" | "failed";
            /** State Text */
            state_text: string;
            /** Url */
            url: string;
            /**
             * Used
             * @description Share of the usable rate in the best cell, as text
             */
            used: string;
            verdict: components["schemas"]["VerdictOut"] | null;
            /**
             * Verdicts
             * @description Verdicts, most cells first
             */
            verdicts: components["schemas"]["NamedVerdict"][];
            /** Waits For */
            waits_for: string;
        };
        /**
         * TestRunOut
         * @description One execution of a plan, or a paper's table.
         */
        TestRunOut: {
            /** Age S */
            age_s: number;
            /** Asked At */
            asked_at: string | null;
            /** Began At */
            began_at: string | null;
            /**
             * Cells Bad
             * @description Cells that ended without result
             */
            cells_bad: number;
            /** Cells Over */
            cells_over: number;
            /** Cells Total */
            cells_total: number;
            /** Ended At */
            ended_at: string | null;
            /**
             * Id
             * @description A number, or a paper table's name such as cern96.fig4
             */
            id: string;
            /**
             * Kind
             * @default test-run
             * @constant
             */
            kind: "test-run";
            /** May Cancel */
            may_cancel: boolean;
            /** Name */
            name: string;
            /**
             * Person
             * @description Empty: started by the schedule
             */
            person: string;
            /** Plan */
            plan: string;
            /** Plan Id */
            plan_id: number | null;
            /**
             * Progress
             * @description Fraction done, 0..1
             */
            progress: number;
            regression: components["schemas"]["RegressionOut"] | null;
            /**
             * Remaining S
             * @description Estimated remaining run time, without waiting; null: ended
             */
            remaining_s: number | null;
            /**
             * Shape
             * @description Empty: a paper's table
             */
            shape: ("pair" | "n_pairs" | "many_to_one" | "one_to_many" | "n_way" | "mesh") | "";
            /** Since */
            since: string | null;
            /** Site */
            site: string;
            /**
             * Source
             * @enum {string}
             */
            source: "lab" | "live" | "paper";
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "waiting" | "running" | "done" | "cancelled" | "failed";
            /** State Text */
            state_text: string;
            /** Url */
            url: string;
            /**
             * Used
             * @description Share of the usable rate in the best cell, as text
             */
            used: string;
            verdict: components["schemas"]["VerdictOut"] | null;
            /** Waits For */
            waits_for: string;
        };
        /**
         * TestRunQuery
         * @description Filters of `list_test_runs`.
         */
        TestRunQuery: {
            /**
             * Cursor
             * @description `next` of the previous page, with the same filters and sort
             */
            cursor?: string | null;
            /**
             * Limit
             * @default 100
             */
            limit: number;
            /** Plan */
            plan?: number | null;
            /**
             * Q
             * @description Search text; case is ignored
             */
            q?: string | null;
            /**
             * Site
             * @description Name of the site; default: the first site that you may see
             */
            site?: string | null;
            /**
             * Sort
             * @description Field to sort by; prefix it with - for descending order
             */
            sort?: string | null;
            /** Source */
            source?: ("lab" | "live" | "paper") | null;
            /** State */
            state?: ("queued" | "waiting" | "running" | "done" | "cancelled" | "failed") | "current" | null;
            /** Verdict */
            verdict?: string | null;
        };
        /**
         * TimelineOut
         * @description A path's history: `GET /paths/{id}/timeline`.
         */
        TimelineOut: {
            /**
             * Decisions
             * @description Newest first, at most 200
             */
            decisions: components["schemas"]["DecisionOut"][];
            /**
             * Moves
             * @description Newest first, at most 50
             */
            moves: components["schemas"]["MoveOut"][];
            /**
             * Outages
             * @description Those that overlap the range, oldest first
             */
            outages: components["schemas"]["OutageOut"][];
            /** Path Id */
            path_id: number;
            /**
             * Segments
             * @description Oldest first, without gaps
             */
            segments: components["schemas"]["PathSegment"][];
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * Switches
             * @description Oldest first
             */
            switches: components["schemas"]["SwitchOut"][];
            /**
             * Until
             * Format: date-time
             */
            until: string;
        };
        /**
         * TimelinesQuery
         * @description Paths and range of `list_path_timelines`.
         */
        TimelinesQuery: {
            /**
             * End
             * @default now
             */
            end: string;
            /**
             * Path
             * @description Ids of paths; others than the site's are ignored
             */
            path?: number[];
            /** Site */
            site?: string | null;
            /**
             * Start
             * @description A time, or `now-1h`; at most a year ago
             * @default now-1h
             */
            start: string;
        };
        /**
         * TimersModel
         * @description Failure detection, recovery and failback timers.
         */
        TimersModel: {
            /**
             * Fail After
             * @description Failures before down: consecutive lost probes
             * @default 3
             */
            fail_after: number;
            /**
             * Hold Down S
             * @description Minimum time between two failovers
             * @default 2
             */
            hold_down_s: number;
            /**
             * Interval Ms
             * @default 50
             */
            interval_ms: number;
            /**
             * Recover After
             * @description Successes before up: consecutive answered probes
             * @default 20
             */
            recover_after: number;
            /**
             * Revert
             * @default now
             * @enum {string}
             */
            revert: "now" | "after" | "manual";
            /**
             * Revert After S
             * @default 60
             */
            revert_after_s: number;
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
             * @description Changes when nodes or links change, not when the load changes
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
             * Carrier
             * @description As reported by its ports, regardless of open incidents
             * @enum {string}
             */
            carrier: "up" | "down" | "admin_down" | "unknown";
            /**
             * Carries
             * @description Strongest use by the paths over it
             * @enum {string}
             */
            carries: "active" | "dead" | "active_unverified" | "standby_verified" | "standby_not_verified" | "standby_dead" | "unknown" | "none";
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
             * @description Seconds since its last report; null: never
             */
            age_s: number | null;
            /** @description Its role as a gateway; null: not a gateway of any policy */
            gateway: components["schemas"]["GatewayOut"] | null;
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
             * @description Text of the state: `last seen 1 s ago`, `not reporting for 40 s`
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
        /**
         * UnclearRowsOut
         * @description Rows of a table that were not understood: left out, or kept without a known port.
         */
        UnclearRowsOut: {
            /** Reason */
            reason: string;
            /** Rows */
            rows: number;
        };
        /**
         * UndoIn
         * @description Optional body of `POST /changes/{id}/undo`.
         */
        UndoIn: {
            /**
             * Reason
             * @default
             */
            reason: string;
        };
        /**
         * UnmeasuredOut
         * @description An object that a rule cannot evaluate, so that it never alarms for it.
         */
        UnmeasuredOut: {
            /** Name */
            name: string;
            /** Reason */
            reason: string;
            /** Url */
            url: string | null;
        };
        /**
         * VerdictEvidence
         * @description One finding for or against a verdict.
         */
        VerdictEvidence: {
            /** Supports */
            supports: boolean;
            /** Text */
            text: string;
        };
        /**
         * VerdictOut
         * @description The named bottleneck of a cell or a run.
         */
        VerdictOut: {
            /**
             * Confidence
             * @enum {string}
             */
            confidence: "high" | "medium" | "low";
            /** Evidence */
            evidence: components["schemas"]["VerdictEvidence"][];
            /** Name */
            name: string;
            /** Numbers */
            numbers: {
                [key: string]: number;
            };
            /**
             * Remedy
             * @description What to do; if inconclusive: what to measure
             */
            remedy: string;
            /** Sentence */
            sentence: string;
            /**
             * Suspect
             * @description The suspected node or hop
             */
            suspect: string;
        };
        /**
         * WeeklyTimeModel
         * @description A span of a week. An end that is not after the start is on the next day.
         */
        WeeklyTimeModel: {
            /**
             * End
             * @description HH:MM on the zone's clock
             */
            end: string;
            /**
             * Start
             * @description HH:MM on the zone's clock
             */
            start: string;
            /** Weekdays */
            weekdays: number[];
        };
        /**
         * WindowTarget
         * @description One object that a window is about; what depends on it is in maintenance too.
         */
        WindowTarget: {
            /**
             * Id
             * @description null: the site
             */
            id?: number | null;
            kind: components["schemas"]["TargetKind"];
        };
        /**
         * WindowTargetOut
         * @description One object that a window is about, with its page.
         */
        WindowTargetOut: {
            /** Id */
            id: number | null;
            kind: components["schemas"]["TargetKind"];
            /** Name */
            name: string;
            /** Url */
            url: string | null;
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
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    receive_alerts: {
        parameters: {
            query: {
                site: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    alerts: Record<string, never>[];
                    version: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReceivedOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_alive: {
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
                    "application/json": components["schemas"]["Alive"];
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
    list_arp_policies: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_ArpPolicyOut_"];
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
    create_arp_policy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ArpPolicyIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArpPolicyOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_arp_policy: {
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
                    "application/json": components["schemas"]["ArpPolicyOut"];
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
    update_arp_policy: {
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
                "application/json": components["schemas"]["ArpPolicyIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArpPolicyOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    delete_arp_policy: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_arp_fabrics: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                fabric?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_ArpFabricOut_"];
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
    get_arp_rule: {
        parameters: {
            query: {
                fabric: string;
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
                    "application/json": components["schemas"]["ArpRuleOut"];
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
    list_arp_settings: {
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
                    "application/json": components["schemas"]["ArpSettingOut"][];
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
    list_calendar_feeds: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_CalendarFeedOut_"];
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
    create_calendar_feed: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarFeedIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewCalendarFeedOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    delete_calendar_feed: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_calendar: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: string;
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
                content?: never;
            };
            /** @description Not Modified */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
        };
    };
    list_changes: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                fabric?: string | null;
                limit?: number;
                policy?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: ("draft" | "planned" | "approved" | "rolling" | "confirming" | "done" | "rolled_back" | "stopped" | "failed" | "superseded") | "current" | null;
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
                    "application/json": components["schemas"]["Page_ChangeOut_"];
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
    create_change: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_change: {
        parameters: {
            query?: {
                plan?: boolean;
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
                    "application/json": components["schemas"]["ChangeDetail"];
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
    apply_change: {
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
                "application/json": components["schemas"]["ApplyIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    approve_change: {
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
                "application/json": components["schemas"]["ApproveIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    confirm_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ConfirmIn"] | null;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    discard_change: {
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
                    "application/json": components["schemas"]["ChangeDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_change_node: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
                node_id: number;
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
                    "application/json": components["schemas"]["ChangeNodeDetail"];
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
    plan_change: {
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
                    "application/json": components["schemas"]["ChangeDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    roll_back_change: {
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
                "application/json": components["schemas"]["RollBackIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    undo_change: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UndoIn"] | null;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_channels: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                kind?: ("mail" | "webhook" | "slack" | "teams" | "telegram" | "ntfy" | "pagerduty" | "alertmanager" | "apprise") | null;
                limit?: number;
                person?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_ChannelOut_"];
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
    create_channel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_channel: {
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
                    "application/json": components["schemas"]["ChannelOut"];
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
    update_channel: {
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
                "application/json": components["schemas"]["ChannelIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    delete_channel: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    test_channel: {
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
                    "application/json": components["schemas"]["ChannelTestOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_circuits: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                kind?: ("pvc" | "vlan") | null;
                limit?: number;
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: ("ok" | "warning" | "critical" | "unknown") | null;
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
                    "application/json": components["schemas"]["Page_CircuitOut_"];
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
    get_circuit: {
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
                    "application/json": components["schemas"]["CircuitOut"];
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
    hand_over_circuits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HandOverIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HandOverOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_circuit_history: {
        parameters: {
            query?: {
                /** @description A time, or `now-7d`: only the versions in force then; default: all versions */
                at?: string | null;
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Name of a circuit */
                name?: string | null;
                /** @description Node where it began, ended or passed */
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_CircuitVersionOut_"];
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
    plan_circuits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CircuitPlanIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CircuitPlanOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_clocks: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                source?: string | null;
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
                    "application/json": components["schemas"]["Page_ClockOut_"];
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
    list_deliveries: {
        parameters: {
            query?: {
                channel_id?: number | null;
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                incident_id?: number | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                reason?: ("opened" | "worse" | "reminder" | "escalated" | "resolved" | "test") | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                status?: ("queued" | "sending" | "sent" | "failed") | null;
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
                    "application/json": components["schemas"]["Page_DeliveryOut_"];
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
    get_delivery: {
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
                    "application/json": components["schemas"]["DeliveryDetail"];
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
    list_drift: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                node?: string | null;
                only?: ("drift" | "reboot") | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_DriftOut_"];
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
    list_drills: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                policy?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: ("scheduled" | "refused" | "running" | "returning" | "passed" | "failed" | "cancelled") | null;
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
                    "application/json": components["schemas"]["Page_DrillOut_"];
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
    create_drill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DrillIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DrillOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_drill: {
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
                    "application/json": components["schemas"]["DrillOut"];
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
    cancel_drill: {
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
                    "application/json": components["schemas"]["DrillOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
                about?: ("changes" | "paths") | null;
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                end?: string | null;
                group?: string | null;
                incident_id?: number | null;
                kind?: components["schemas"]["EventKind"] | null;
                limit?: number;
                link_id?: number | null;
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
    list_event_groups: {
        parameters: {
            query?: {
                about?: ("changes" | "paths") | null;
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                end?: string | null;
                kind?: components["schemas"]["EventKind"] | null;
                limit?: number;
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["EventGroupPageOut"];
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
    list_exports: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: "open" | ("queued" | "running" | "done" | "failed") | null;
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
                    "application/json": components["schemas"]["Page_ExportOut_"];
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
    create_export: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExportIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExportOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_export: {
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
                    "application/json": components["schemas"]["ExportOut"];
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
    delete_export: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    download_export: {
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
                    "application/jsonl": string;
                    "application/vnd.apache.parquet": string;
                    "text/csv; charset=utf-8": string;
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
    list_extension_nodes: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: ("ok" | "warning" | "critical" | "unknown") | null;
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
                    "application/json": components["schemas"]["Page_ExtensionOut_"];
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
    get_extension_node: {
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
                    "application/json": components["schemas"]["ExtensionOut"];
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
    check_extension_node: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExtensionIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExtensionCheckOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_fabrics: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
    get_fabric: {
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
                    "application/json": components["schemas"]["FabricDetail"];
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
    get_fabric_history: {
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
                    "application/json": components["schemas"]["FabricHistoryOut"];
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
    list_failover_policies: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
    create_failover_policy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_failover_policy: {
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
                    "application/json": components["schemas"]["PolicyOut"];
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
    update_failover_policy: {
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
                "application/json": components["schemas"]["PolicyIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    delete_failover_policy: {
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
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeDetail"];
                };
            };
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_policy_outages: {
        parameters: {
            query?: {
                by?: "day" | "month";
                end?: string;
                /** @description A time, or `now-30d`; default: 30 days, or 12 months */
                start?: string | null;
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
                    "application/json": components["schemas"]["PolicyOutagesOut"];
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
    preview_group: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    preview_stripe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StripeOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
            /** @description Service Unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FailingHealth"];
                };
            };
        };
    };
    get_hippi_report: {
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
                    "application/json": components["schemas"]["HippiReport"];
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
    list_holds: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: ("open" | "waiting" | "held" | "ending" | "ended" | "failed") | null;
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
                    "application/json": components["schemas"]["Page_HoldOut_"];
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
    list_incidents: {
        parameters: {
            query?: {
                /** @description Only the effects of this incident */
                cause_id?: number | null;
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                has_owner?: boolean | null;
                kind?: ("reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed") | null;
                limit?: number;
                link_id?: number | null;
                /** @description true: only snoozed ones and those in maintenance; false: only the others */
                muted?: boolean | null;
                node?: string | null;
                /** @description User name */
                owner?: string | null;
                phase?: ("open" | "acknowledged" | "resolved" | "current") | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description true: only root causes; false: only effects */
                root?: boolean | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["IncidentDetail"];
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
                    "application/json": components["schemas"]["IncidentDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    assign_incident: {
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
                "application/json": components["schemas"]["Assign"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    comment_incident: {
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
                "application/json": components["schemas"]["CommentIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    snooze_incident: {
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
                "application/json": components["schemas"]["Snooze"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IncidentDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    bulk_incidents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_incident_summary: {
        parameters: {
            query?: {
                /** @description Only the effects of this incident */
                cause_id?: number | null;
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                has_owner?: boolean | null;
                kind?: ("reporting_lost" | "fabric_down" | "gateway_isolated" | "gateway_unreachable" | "gateway_not_forwarding" | "standby_dead" | "node_stale" | "port_down" | "gateway_failed_over" | "path_dead" | "redundancy_lost" | "failback_overdue" | "device_alarm" | "device_state" | "drift" | "neighbour_table" | "neighbour_flood" | "neighbour_clash" | "neighbour_gateway" | "neighbour_static" | "cable" | "hippi_blocked" | "circuit" | "clock" | "extension" | "address_mismatch" | "throughput" | "saturation" | "saturation_p95" | "saturation_peak" | "load_below_usual" | "port_errors" | "port_discards" | "gateway_cpu" | "gateway_packets" | "metric_limit" | "collector_failed" | "agent_spool" | "external_alert" | "evaluation_late" | "rule_failed" | "channel_failed") | null;
                limit?: number;
                link_id?: number | null;
                /** @description true: only snoozed ones and those in maintenance; false: only the others */
                muted?: boolean | null;
                node?: string | null;
                /** @description User name */
                owner?: string | null;
                phase?: ("open" | "acknowledged" | "resolved" | "current") | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description true: only root causes; false: only effects */
                root?: boolean | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["IncidentSummary"];
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
    get_infiniband_health: {
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
                    "application/json": components["schemas"]["InfinibandHealth"];
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
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                fabric?: string | null;
                limit?: number;
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
    get_link_history: {
        parameters: {
            query?: {
                baseline?: boolean;
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
                    "text/event-stream": {
                        data: string;
                        event: string;
                        id?: string;
                    };
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
    list_maintenance_windows: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: ("active" | "scheduled" | "over") | null;
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
                    "application/json": components["schemas"]["Page_MaintenanceWindowOut_"];
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
    create_maintenance_window: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MaintenanceWindowIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceWindowDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_maintenance_window: {
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
                    "application/json": components["schemas"]["MaintenanceWindowDetail"];
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
    update_maintenance_window: {
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
                "application/json": components["schemas"]["MaintenanceWindowIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceWindowDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    delete_maintenance_window: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    end_maintenance_window: {
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
                    "application/json": components["schemas"]["MaintenanceWindowDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    import_maintenance_windows: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CalendarFileIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CalendarFileOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_metric_limits: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_MetricLimitOut_"];
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
    create_metric_limit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetricLimitIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricLimitOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_metric_limit: {
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
                    "application/json": components["schemas"]["MetricLimitOut"];
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
    update_metric_limit: {
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
                "application/json": components["schemas"]["MetricLimitIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetricLimitOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    delete_metric_limit: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    preview_metric_limit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MetricLimitIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulePreviewOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_metrics: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                family?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_MetricOut_"];
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
    list_neighbours: {
        parameters: {
            query?: {
                address?: string | null;
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                mac?: string | null;
                node?: string | null;
                port?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: string | null;
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
                    "application/json": components["schemas"]["Page_NeighbourOut_"];
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
    list_duplicates: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_DuplicateOut_"];
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
    get_neighbour_history: {
        parameters: {
            query: {
                address: string;
                at?: string | null;
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
                    "application/json": components["schemas"]["NeighbourHistory"];
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
    list_neighbour_tables: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_NeighbourTable_"];
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
    list_nodes: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                gateway?: boolean | null;
                kind?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
    list_node_collectors: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: ("ok" | "warning" | "critical" | "unknown" | "disabled") | null;
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
                    "application/json": components["schemas"]["Page_CollectorOut_"];
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
    hold_node: {
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
                "application/json": components["schemas"]["HoldIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HoldOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    end_hold: {
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
                    "application/json": components["schemas"]["HoldOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    manage_node_again: {
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_device_metrics: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                metric?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                state?: ("ok" | "warning" | "unknown") | null;
                subject?: string | null;
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
                    "application/json": components["schemas"]["Page_DeviceMetricOut_"];
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
    get_device_metric_history: {
        parameters: {
            query: {
                collector?: string | null;
                end?: string;
                metric: string;
                points?: number;
                start?: string;
                subject?: string;
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
                    "application/json": components["schemas"]["DeviceMetricHistory"];
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
    list_recordings: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
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
                    "application/json": components["schemas"]["Page_RecordingOut_"];
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
    record_device: {
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
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_notification_routes: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_NotificationRouteOut_"];
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
    create_notification_route: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NotificationRouteIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRouteOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_notification_route: {
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
                    "application/json": components["schemas"]["NotificationRouteOut"];
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
    update_notification_route: {
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
                "application/json": components["schemas"]["NotificationRouteIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotificationRouteOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    delete_notification_route: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_overview: {
        parameters: {
            query?: {
                end?: string;
                site?: string | null;
                start?: string;
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
    get_overview_counts: {
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
                    "application/json": components["schemas"]["OverviewCountsOut"];
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
    list_paths: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                node?: string | null;
                policy?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
    move_path: {
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
                "application/json": components["schemas"]["MoveIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MoveOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    return_path: {
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
                    "application/json": components["schemas"]["MoveOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_path_timeline: {
        parameters: {
            query?: {
                since?: string | null;
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
                    "application/json": components["schemas"]["TimelineOut"];
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
    list_path_timelines: {
        parameters: {
            query?: {
                end?: string;
                /** @description Ids of paths; others than the site's are ignored */
                path?: number[];
                site?: string | null;
                /** @description A time, or `now-1h`; at most a year ago */
                start?: string;
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
                    "application/json": components["schemas"]["PathTimeline"][];
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
    list_ports: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                fabric?: string | null;
                limit?: number;
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
    list_port_rules: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
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
                    "application/json": components["schemas"]["Page_EffectiveRuleOut_"];
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
    get_recording: {
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
                    "application/json": components["schemas"]["RecordingOut"];
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
    download_recording: {
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
                    "application/octet-stream": string;
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
    export_rules: {
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
                    "application/json": components["schemas"]["RuleFileOut"];
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
    delete_rule_override: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_rules: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                group?: ("load" | "errors" | "reachability" | "paths" | "devices" | "addresses" | "monitoring") | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_RuleOut_"];
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
    get_rule: {
        parameters: {
            query?: {
                site?: string | null;
            };
            header?: never;
            path: {
                kind: string;
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
                    "application/json": components["schemas"]["RuleOut"];
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
    update_rule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_rule_overrides: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
            };
            header?: never;
            path: {
                kind: string;
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
                    "application/json": components["schemas"]["Page_RuleOverrideOut_"];
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
    create_rule_override: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleOverrideIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleOverrideOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    preview_rule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                kind: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RuleOverrideIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RulePreviewOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_unmeasured: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
            };
            header?: never;
            path: {
                kind: string;
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
                    "application/json": components["schemas"]["Page_UnmeasuredOut_"];
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
    list_saved_state: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                node?: string | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_SavedNode_"];
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
    list_schedules: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_ScheduleOut_"];
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
    create_schedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_schedule: {
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
                    "application/json": components["schemas"]["ScheduleOut"];
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
    update_schedule: {
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
                "application/json": components["schemas"]["ScheduleIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    delete_schedule: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
            /** @description Request Timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Entity Too Large */
            413: {
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_SiteListed_"];
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
    get_storage: {
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
                    "application/json": components["schemas"]["StorageOut"];
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
    list_test_grids: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_TestGridOut_"];
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
    get_test_grid: {
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
                    "application/json": components["schemas"]["TestGridOut"];
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
    list_test_plans: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                /** @description Search text; case is ignored */
                q?: string | null;
                shape?: ("pair" | "n_pairs" | "many_to_one" | "one_to_many" | "n_way" | "mesh") | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
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
                    "application/json": components["schemas"]["Page_TestPlanOut_"];
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
    create_test_plan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestPlanIn"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestPlanOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_test_plan: {
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
                    "application/json": components["schemas"]["TestPlanOut"];
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
    update_test_plan: {
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
                "application/json": components["schemas"]["TestPlanIn"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestPlanOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    delete_test_plan: {
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
            /** @description Not Found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Problem"];
                };
            };
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    run_test_plan: {
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
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRunOut"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    list_test_runs: {
        parameters: {
            query?: {
                /** @description `next` of the previous page, with the same filters and sort */
                cursor?: string | null;
                limit?: number;
                plan?: number | null;
                /** @description Search text; case is ignored */
                q?: string | null;
                /** @description Name of the site; default: the first site that you may see */
                site?: string | null;
                /** @description Field to sort by; prefix it with - for descending order */
                sort?: string | null;
                source?: ("lab" | "live" | "paper") | null;
                state?: ("queued" | "waiting" | "running" | "done" | "cancelled" | "failed") | "current" | null;
                verdict?: string | null;
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
                    "application/json": components["schemas"]["Page_TestRunOut_"];
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
    get_test_run: {
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
                    "application/json": components["schemas"]["TestRunDetail"];
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
    cancel_test_run: {
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
                    "application/json": components["schemas"]["TestRunDetail"];
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
            /** @description Request Timeout */
            408: {
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
            /** @description Request Entity Too Large */
            413: {
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
    get_test_cell: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
                index: number;
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
                    "application/json": components["schemas"]["TestCellDetail"];
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
    compare_test_runs: {
        parameters: {
            query: {
                /** @description The earlier run */
                with: string;
            };
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
                    "application/json": components["schemas"]["ComparisonOut"];
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
    export_test_run: {
        parameters: {
            query?: {
                format?: "csv" | "json";
            };
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
                    "application/json": Record<string, never>;
                    "text/csv": string;
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
}
