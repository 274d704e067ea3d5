/** The permissions of each role: one table, enforced by core and mirrored by the console (gaps.md, appendix C). */
import type { PlainCode } from './refusals.ts'
import type { Role } from './roles.ts'

const everyone: readonly Role[] = [
  'super_user',
  'luc_admin',
  'luc_media_group_admin',
  'luc_contractor',
  'luc_partner',
  'luc_regular',
  'luc_read',
  'staff',
]
const operators = everyone.filter((role) => role !== 'luc_read' && role !== 'staff')
const administrators = operators.filter((role) => role !== 'luc_regular')

export const rolesOfAction = {
  /** View /easy_live: the units of a group, their channels and pictures (GAP-SCR-02). */
  watchTransmissions: [...everyone, 'luc_studio'],
  /** The actions of /easy_live: start, stop, channel, delay. */
  transmit: [...operators, 'luc_studio'],
  viewUnits: everyone,
  operateUnits: operators,
  /** GAP-FILE-05: all but read-only users and staff. */
  deleteFiles: operators,
  /** RO-PERM-11, RT-UNIT-04. */
  uploadFiles: administrators,
  powerUnits: administrators,
  /** AI sessions (RO-PERM-25). */
  useAi: operators,
  /** Adding, deleting and configuring stories (RO-PERM-26). */
  writeStories: operators,
  /** Opening a device to the vendor's support for some hours (RO-PERM-36). */
  grantSupportAccess: ['super_user', 'luc_admin', 'luc_media_group_admin', 'luc_regular'],
  /** The three pages of remote actions (RT-PSG-31, RT-CONTR-01, RT-SUPPORT-01). */
  actRemotely: ['super_user', 'luc_contractor', 'luc_partner'],
  administerDevices: administrators,
  administerPeople: administrators,
  /** Rooms in which users and units speak (RO-PERM-16, GAP-AUDIO-01). */
  administerAudioRooms: administrators,
  /** Publishers and subscribers (RO-PERM-19, -20). */
  administerShares: ['super_user', 'luc_media_group_admin'],
  /** The pages below /services (GAP-ROLE-01). */
  administerServices: ['luc_admin'],
  /** The pages below /psg. */
  administerSystem: ['super_user'],
} as const satisfies Record<string, readonly Role[]>

export type Action = keyof typeof rolesOfAction

/** The refusals for which the specification has its own text (ER-UNIT-30). */
export const refusalOfAction = (action: Action): PlainCode =>
  action === 'deleteFiles' ? 'file.deleteNotAllowed' : 'role.notAllowed'

export const mayDo = (roles: readonly Role[], action: Action): boolean =>
  (rolesOfAction[action] as readonly Role[]).some((role) => roles.includes(role))
