import { expect, test } from 'vitest'
import { type Action, mayDo, rolesOfAction } from './actions.ts'
import { hasRegularRole, type Role } from './roles.ts'

const columns: readonly Role[] = [
  'super_user',
  'luc_admin',
  'luc_media_group_admin',
  'luc_contractor',
  'luc_partner',
  'luc_regular',
  'luc_read',
]

const table: Readonly<Record<Action, string>> = {
  watchTransmissions: 'yyyyyyy',
  transmit: 'yyyyyy-',
  viewUnits: 'yyyyyyy',
  operateUnits: 'yyyyyy-',
  deleteFiles: 'yyyyyy-',
  uploadFiles: 'yyyyy--',
  powerUnits: 'yyyyy--',
  writeStories: 'yyyyyy-',
  useAi: 'yyyyyy-',
  grantSupportAccess: 'yyy--y-',
  actRemotely: 'y--yy--',
  administerDevices: 'yyyyy--',
  administerPeople: 'yyyyy--',
  administerAudioRooms: 'yyyyy--',
  administerShares: 'y-y----',
  administerServices: '-y-----',
  administerSystem: 'y------',
}

test.for(Object.entries(table) as [Action, string][])(
  '[ACCESS-008] [ACCESS-009] %s is for exactly the roles of the matrix',
  ([action, row]) => {
    expect(columns.map((role) => (mayDo([role], action) ? 'y' : '-')).join('')).toBe(row)
  },
)

test('a role outside the matrix may do nothing, a studio may do what /easy_live offers, and several roles add up', () => {
  const actions = Object.keys(table) as Action[]
  const outside: Role[] = ['luc_vr_viewer', 'luc_curator', 'luc_multipoint', 'luc_freelancer']
  expect(actions.filter((action) => mayDo(outside, action))).toEqual([])
  const ofStudio = actions.filter((action) => mayDo(['luc_studio'], action))
  expect(ofStudio).toEqual(['watchTransmissions', 'transmit'])
  expect(mayDo(['luc_studio', 'luc_regular'], 'operateUnits')).toBe(true)
})

test('all roles that may change something by a dialog hold the regular role, which its Apply and OK require', () => {
  const written = [
    'operateUnits',
    'powerUnits',
    'writeStories',
    'useAi',
    'administerDevices',
    'administerPeople',
  ] as const
  const also = ['administerShares', 'administerServices', 'administerSystem'] as const
  for (const action of [...written, ...also])
    expect(rolesOfAction[action].filter((role) => !hasRegularRole([role]))).toEqual([])
})
