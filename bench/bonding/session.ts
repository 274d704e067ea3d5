/** What both of our ends must know in the benchmark. */
export const benchSession = 'bench'
export const benchKey = new Uint8Array(32).fill(1)
