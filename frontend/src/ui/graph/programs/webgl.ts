/** The few constants of WebGL that programs are described with (WebGL 1.0 specification, 5.14), known before any context is. */

export const FLOAT = 0x1406;
export const UNSIGNED_BYTE = 0x1401;
export const TRIANGLES = 0x0004;
