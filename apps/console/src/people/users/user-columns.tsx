// The columns of the users screen.
import type { User } from '@backhaul/contract/nouns/users'
import type { TFunction } from 'i18next'
import { textColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { shortDate } from '../../ui/locale.ts'
import { fullName } from './users.ts'

interface Names {
  inventories: ReadonlyMap<string, string>
  groups: ReadonlyMap<string, string>
}

export function userColumns(t: TFunction<'users'>, names: Names): readonly GridColumn<User>[] {
  const plain = textColumn<User>
  const named = (ids: readonly string[], known: ReadonlyMap<string, string>) =>
    ids.map((id) => known.get(id) ?? id).join(', ')
  return [
    plain('username', t('columns.username'), 150, (user) => user.username, {
      required: true,
      pinned: 'start',
    }),
    plain('name', t('columns.name'), 170, fullName),
    statusColumn(
      'active',
      t('columns.active'),
      100,
      (user) => t(user.active ? 'active' : 'closed'),
      ({ active }) => (active ? { shape: 'ring', tone: 'ready' } : { shape: 'slashedRing', tone: 'warning' }),
    ),
    plain('userType', t('columns.userType'), 150, (user) => t(`userType.${user.userType}`)),
    plain('email', t('columns.email'), 210, (user) => user.email),
    plain('label', t('columns.label'), 120, (user) => user.label),
    plain('inventories', t('columns.inventories'), 180, (user) => named(user.inventories, names.inventories)),
    plain('groups', t('columns.groups'), 220, (user) => named(user.groups, names.groups)),
    plain('managed', t('columns.managed'), 130, (user) => t(user.SSO ? 'enterprise' : 'here')),
    plain('ODA', t('columns.oda'), 70, (user) => (user.ODA ? t('yes') : '')),
    plain('passwordExpires', t('columns.passwordExpires'), 140, ({ passwordExpirationDate: date }) =>
      date === null ? t('policy.never') : shortDate(new Date(date)),
    ),
    plain('phone', t('columns.phone'), 130, (user) => user.phone, { hiddenAtFirst: true }),
    plain('roles', t('columns.roles'), 180, (user) => user.roles.join(', '), { hiddenAtFirst: true }),
  ]
}
