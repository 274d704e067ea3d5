/** The data for the start of the console (EN-UPROP rows), and the addresses of other applications. */
import { z } from 'zod'
import { Role } from '../define/role-schemas.ts'

/** Topics in one subscribe frame (CO-ADMIN-24, GAP-PUSH-10). */
export const SUBSCRIBE_BATCH_SIZE = 50

/** Pictures of the ground from a server that the operator of the installation chose (GAP-SCR-17). */
export const MapTiles = z.object({
  address: z.string().describe('With {z}, {x} and {y}'),
  credit: z.string().describe('Whose data the pictures show'),
})
export type MapTiles = z.infer<typeof MapTiles>

export const ClientConfiguration = z.object({
  userId: z.string(),
  username: z.string(),
  secondsToPwdExpiration: z.number().nullable(),
  hasInternet: z.boolean().describe('False when the address that the operator has checked does not answer'),
  analyticsConfiguration: z
    .object({ url: z.string() })
    .nullable()
    .describe('Where the console reports page visits to (GAP-NAV-03); null reports none'),
  chatConfiguration: z
    .object({ url: z.string() })
    .nullable()
    .describe('The page of the operator’s chat (GAP-SCR-15); null offers none'),
  loggedUserRoles: z.array(Role),
  userServices: z.array(z.string()),
  wsLibrary: z.string().describe('A differing value reloads the page'),
  activeFeatures: z.array(z.string()),
  services: z.array(z.string()),
  subscribeBatchSize: z.number().int().min(1).max(500),
  version: z.string(),
  applicationConfiguration: z
    .record(z.string(), z.string())
    .describe('What vendor staff have set for the application that calls and the customers of its user'),
  mapTiles: MapTiles.optional().describe(
    'Where the operator of this installation has set a tile server for the map',
  ),
  usersWithPublishedPassword: z
    .array(z.string())
    .optional()
    .describe(
      'For super users: who can be signed in as with the published password of the demo, while others reach core',
    ),
})
export type ClientConfiguration = z.infer<typeof ClientConfiguration>

/** A missing address hides its link (GAP-NAV-08). */
export const ApplicationUrls = z.object({
  videoReturnPortal: z.string().optional(),
  matrix: z.string().optional(),
  login: z.string(),
  support: z.string().optional(),
  releaseNotes: z.string().optional(),
})
export type ApplicationUrls = z.infer<typeof ApplicationUrls>
