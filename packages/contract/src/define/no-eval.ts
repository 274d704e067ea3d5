/** Import it before any schema where a content security policy forbids eval: schemas then do not try to compile. */

// This object holds the configuration of zod; a call of zod would load the library with the first page.
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
shared.__zod_globalConfig = Object.assign(shared.__zod_globalConfig ?? {}, { jitless: true })
