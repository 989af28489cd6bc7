/// <reference types="vite/client" />

/** True in the development server without a backend, where the mock worker responds. */
declare const __MOCK__: boolean;
