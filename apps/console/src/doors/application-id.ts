/** Set at build time (GAP-API-11). */
export const applicationId: string = import.meta.env.VITE_APPLICATION_ID ?? 'console'
