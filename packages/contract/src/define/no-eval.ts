/** Import it before any schema where a content security policy forbids eval: schemas then do not try to compile. */
import { z } from 'zod'

z.config({ jitless: true })
