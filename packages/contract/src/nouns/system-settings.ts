/**
 * Settings of the whole installation by vendor staff below /psg/system_settings: a schema for writing each child;
 * reading adds an id (GAP-SCR-11, GAP-SCR-13).
 */

import { z } from 'zod'
import { rolesOfAction } from '../define/actions.ts'
import { rule } from '../define/refusals.ts'
import type { Role } from '../define/roles.ts'
import { isAtLeast } from './versions.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(255, { message: rule('name.tooLong') })
const Id = z.string().min(1).max(64)

/** Host and port alone: scheme and path are separate fields. */
const hostPattern =
  /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::[1-9]\d{0,4})?$/i
const Host = z
  .string()
  .max(253)
  .regex(hostPattern, { message: rule('field.pattern') })

/** A public destination of streams, such as a social network. */
export const StreamProvider = z.strictObject({
  name: Name,
  domain: Host.describe('Host of its ingest, with :port where it is not the usual one'),
  application: z
    .string()
    .max(128)
    .regex(/^[\w.~-]+(?:\/[\w.~-]+)*$/, { message: rule('field.pattern') })
    .describe('Path of its ingest'),
  secure: z.boolean().describe('RTMPS instead of RTMP'),
  icon: z.string().max(16).describe('One or two letters or an emoji; empty shows the first letter'),
})
export type StreamProvider = z.infer<typeof StreamProvider>

/** Heights of picture that a stream can have. */
export const streamHeights = [360, 480, 720, 1080] as const
export const StreamHeight = z.literal(streamHeights)

/** The encoding of a stream to a provider; the main one is offered first. */
export const StreamProfile = z.strictObject({
  provider: Id,
  name: Name,
  main: z.boolean().describe('At most one of a provider'),
  bitRate: z.number().int().min(300).max(20_000).describe('kbps'),
  resolution: StreamHeight.describe('Height of the picture'),
})
export type StreamProfile = z.infer<typeof StreamProfile>

/** Bit rates of video that a provider accepts at one of its domains (VA-STREAM-10). */
export const StreamMediaProfile = z.strictObject({
  provider: Id,
  domain: Host.describe('Instead of the domain of the provider'),
  name: Name,
  videoBitrate: z.number().int().min(2000).max(8000).describe('kbps, instead of that of the profile'),
})
export type StreamMediaProfile = z.infer<typeof StreamMediaProfile>

const roles = rolesOfAction.watchTransmissions.filter((role) => role !== 'super_user' && role !== 'staff')
export const organizationRoles = roles as readonly Exclude<Role, 'super_user' | 'staff'>[]

/** A company whose users come from one directory; it reaches its associated inventories (EN-ORG rows). */
export const Organization = z.strictObject({
  name: Name,
  externalUid: z.string().trim().min(1).max(255).describe('Its name in the directory of its users'),
  defaultRole: z.enum(organizationRoles as [Role, ...Role[]]).nullable(),
  maxUsers: z.number().int().min(1).max(100_000).nullable().describe('null: no limit'),
})
export type Organization = z.infer<typeof Organization>

export const OrganizationInventory = z.strictObject({ organization: Id, inventory: Id })
export type OrganizationInventory = z.infer<typeof OrganizationInventory>

const Version = z
  .string()
  .max(32)
  .regex(/^\d+(?:\.\d+)*$/, { message: rule('field.pattern') })

/** A client program of the installation, its download address, and its oldest supported version. */
export const ClientApplication = z
  .strictObject({
    name: Name,
    version: Version,
    url: z.union([z.literal(''), z.url({ protocol: /^https?$/, message: rule('address.web') })]),
    minimumVersion: Version,
  })
  .refine(({ version, minimumVersion }) => isAtLeast(version, minimumVersion), {
    path: ['minimumVersion'],
    message: rule('version.newerThanVersion'),
  })
export type ClientApplication = z.infer<typeof ClientApplication>

export const modemTypes = ['cellular', 'satellite', 'wifi', 'ethernet'] as const

/** The models of a modem vendor, and whether they can scan for networks. */
export const ModemVendor = z.strictObject({
  vendor: Name,
  models: z.string().trim().max(1024).describe('Separated by commas'),
  type: z.enum(modemTypes),
  scanSupported: z.boolean(),
})
export type ModemVendor = z.infer<typeof ModemVendor>
