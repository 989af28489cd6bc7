/** What every unit test starts from: a clean document, and the browser parts that jsdom lacks. */
import { cleanup } from "@testing-library/react";
import { afterEach } from "vitest";

afterEach(cleanup);
