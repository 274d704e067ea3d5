/** The demo installation: its customers, groups and users; core seeds them, the simulator fills them with devices. */
import type { UserType } from '../define/roles.ts'

export const demoInventories = [
  { id: 'north-atlantic', name: 'North Atlantic News', region: 'Europe and North America' },
  { id: 'meridian', name: 'Meridian Sport', region: 'Worldwide' },
] as const

/** Each group has its receiving server and the crews of some cities. */
export const demoGroups = [
  { id: 'london-news', inventoryId: 'north-atlantic', name: 'London-News' },
  { id: 'paris-news', inventoryId: 'north-atlantic', name: 'Paris-News' },
  { id: 'montreal-news', inventoryId: 'north-atlantic', name: 'Montreal-News' },
  { id: 'new-york-news', inventoryId: 'north-atlantic', name: 'New-York-News' },
  { id: 'sport-europe', inventoryId: 'meridian', name: 'Sport-Europe' },
  { id: 'sport-americas', inventoryId: 'meridian', name: 'Sport-Americas' },
] as const

export type DemoGroupId = (typeof demoGroups)[number]['id']

const groupsOf = (inventoryId: string): DemoGroupId[] =>
  demoGroups.filter((group) => group.inventoryId === inventoryId).map(({ id }) => id)

/** The password of every user of the demo; the demo is not for production. */
export const DEMO_PASSWORD = 'Backhaul-demo-1'

export type DemoPerson = {
  readonly username: string
  readonly userType: UserType
  readonly firstName: string
  readonly lastName: string
  readonly inventories: readonly string[]
  readonly groups: readonly DemoGroupId[]
}

export const demoPeople: readonly DemoPerson[] = [
  {
    username: 'operator',
    userType: 'regular',
    firstName: 'Olivia',
    lastName: 'Hart',
    inventories: ['north-atlantic'],
    groups: groupsOf('north-atlantic'),
  },
  {
    username: 'chief',
    userType: 'admin',
    firstName: 'Amara',
    lastName: 'Osei',
    inventories: ['north-atlantic'],
    groups: [],
  },
  {
    username: 'viewer',
    userType: 'read only',
    firstName: 'Ruben',
    lastName: 'Keller',
    inventories: ['north-atlantic'],
    groups: ['london-news', 'paris-news'],
  },
  {
    username: 'sport',
    userType: 'regular',
    firstName: 'Lucía',
    lastName: 'Navarro',
    inventories: ['meridian'],
    groups: groupsOf('meridian'),
  },
  {
    username: 'media',
    userType: 'media group admin',
    firstName: 'Henrik',
    lastName: 'Dahl',
    inventories: ['north-atlantic', 'meridian'],
    groups: [],
  },
  {
    username: 'returns',
    userType: 'video return viewer',
    firstName: 'Noor',
    lastName: 'Haddad',
    inventories: ['north-atlantic'],
    groups: [],
  },
  {
    username: 'curator',
    userType: 'curator',
    firstName: 'Ines',
    lastName: 'Moreau',
    inventories: ['north-atlantic'],
    groups: ['london-news'],
  },
  {
    username: 'studio',
    userType: 'studio',
    firstName: 'Tomás',
    lastName: 'Brandt',
    inventories: ['north-atlantic'],
    groups: ['london-news'],
  },
  {
    username: 'desk-news',
    userType: 'regular',
    firstName: 'News',
    lastName: 'Desk',
    inventories: ['north-atlantic'],
    groups: groupsOf('north-atlantic'),
  },
  {
    username: 'desk-sport',
    userType: 'regular',
    firstName: 'Sport',
    lastName: 'Desk',
    inventories: ['meridian'],
    groups: groupsOf('meridian'),
  },
]

/** Users on the start screen: all but the desks, which belong to the simulator. */
export const demoSignIns = demoPeople.filter(({ username }) => !username.startsWith('desk-'))

/** The users as which the simulator starts and stops units. */
export const demoDesks = ['desk-news', 'desk-sport'] as const

/**
 * The registration key of a device on the same machine as core: the key that the launcher made for this run, and the
 * group that the device joins. Core only accepts it from loopback addresses.
 */
export const localRegistrationKey = (localKey: string, groupId: string): string => `${localKey}/${groupId}`
