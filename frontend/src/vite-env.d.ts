/// <reference types="vite/client" />

/** True in the development server without a backend: the mock worker answers. */
declare const __MOCK__: boolean;
