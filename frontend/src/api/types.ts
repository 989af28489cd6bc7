/** The API's shapes under the names that the pages use. */
import type { components } from "@/api/schema";

type Schemas = components["schemas"];

export type State = Schemas["NodeOut"]["state"];
export type Person = Schemas["Person"];
export type Problem = Schemas["Problem"];
export type Site = Schemas["SiteOut"];
export type SiteListed = Schemas["SiteListed"];
export type Fabric = Schemas["FabricOut"];
export type FabricDetail = Schemas["FabricDetail"];
export type FabricCounter = Schemas["FabricCounter"];
export type Figure = Schemas["DeviceMetricOut"];
export type FigureHistory = Schemas["DeviceMetricHistory"];
export type InfinibandHealth = Schemas["InfinibandHealth"];
export type CableVerdict = Schemas["CableVerdict"];
export type ErrorRate = Schemas["ErrorRate"];
export type HippiReport = Schemas["HippiReport"];
export type HippiPort = Schemas["HippiPort"];
export type HippiGateway = Schemas["HippiGateway"];
export type Load = Schemas["Load"];
export type Topology = Schemas["Topology"];
export type TopologyNode = Schemas["TopologyNode"];
export type TopologyLink = Schemas["TopologyLink"];
export type Node = Schemas["NodeOut"];
export type Port = Schemas["PortOut"];
export type Link = Schemas["LinkOut"];
export type LinkHistory = Schemas["LinkHistory"];
export type Path = Schemas["PathOut"];
export type Policy = Schemas["PolicyOut"];
export type PolicyIn = Schemas["PolicyIn"];
export type NodeGroup = Schemas["GroupModel"];
export type GroupIn = Schemas["GroupIn"];
export type GroupPreview = Schemas["GroupOut"];
export type PolicyTimers = Schemas["TimersModel"];
export type Stripe = Schemas["StripeOut"];
export type Change = Schemas["ChangeOut"];
export type ChangeDetail = Schemas["ChangeDetail"];
export type ChangeState = Change["state"];
export type ChangeVerb = Change["may"][number];
export type ChangeNode = Schemas["ChangeNodeOut"];
export type ChangeIn = Schemas["ChangeIn"];
export type Plan = Schemas["PlanOut"];
export type PlanShape = Schemas["ShapeOut"];
export type PlanCheck = Schemas["CheckOut"];
export type Impact = Schemas["ImpactOut"];
export type PathTimeline = Schemas["TimelineOut"];
export type Decision = Schemas["DecisionOut"];
export type Drift = Schemas["DriftOut"];
export type DriftItem = Schemas["DriftItem"];
export type Drill = Schemas["DrillOut"];
export type DrillIn = Schemas["DrillIn"];
export type NetworkEvent = Schemas["EventOut"];
export type EventKind = NetworkEvent["kind"];
export type Incident = Schemas["IncidentOut"];
export type Overview = Schemas["Overview"];
export type OverviewTile = Schemas["OverviewTile"];
export type Agent = Schemas["AgentOut"];
export type EnrolmentToken = Schemas["EnrolmentTokenOut"];
export type LiveMessage = Schemas["LiveMessage"];
export type LinkLoad = Schemas["LinkLoad"];

export interface Page<T> {
  items: T[];
  next?: string | null;
}
