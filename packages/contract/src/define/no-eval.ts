/** Import it before any schema where a content security policy forbids eval: schemas then do not try to compile. */

// Where zod keeps its configuration; calling zod would load it with the first page.
const shared = globalThis as { __zod_globalConfig?: { jitless?: boolean } }
shared.__zod_globalConfig = Object.assign(shared.__zod_globalConfig ?? {}, { jitless: true })
