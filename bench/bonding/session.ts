/** The session of both of our ends in the benchmark. */
export const benchSession = 'bench'
export const benchKey = new Uint8Array(32).fill(1)
