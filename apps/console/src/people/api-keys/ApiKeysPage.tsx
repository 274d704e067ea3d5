// /manage/api_keys: the keys with which programs act for users of the customer, and the end of a key.
import type { ApiKey } from '@backhaul/contract/nouns/api-keys'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useList } from '../../kit/lists.ts'
import { AddButton } from '../../ui/AddButton.tsx'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts, shortDate } from '../../ui/locale.ts'
import { textFilter } from '../../ui/text-filter.ts'
import { useListDialog } from '../../ui/use-list-dialog.ts'
import { inventoryName } from '../inventory-names/inventory-names.ts'
import { isOver, keys, revokeKey, userTypeOf } from './api-keys.ts'
import { NewKeyDialog } from './NewKeyDialog.tsx'

export function ApiKeysPage() {
  const { t } = useTranslation('apiKeys')
  const list = useList(keys, [])
  const { over, add, open, close } = useListDialog(list.store)
  const [text, setText] = useState('')
  const columns = useMemo(() => columnsOf(t), [t])
  const matches = useMemo(() => textFilter(text, searched), [text])
  const addButton = <AddButton label={t('add')} waits={list.state === 'loading'} onClick={add} />
  return (
    <ListScreen
      {...list}
      gridId="apiKeys"
      search={{ label: t('search'), text, onText: setText }}
      actions={addButton}
      label={t('title')}
      columns={columns}
      defaultCompare={byName}
      filter={matches}
      onOpen={(id) => open('delete', id)}
      rowMenu={(id) => [{ id: 'revoke', label: t('revoke'), run: () => open('delete', id), danger: true }]}
      empty={{ ...t('empty', { returnObjects: true }), action: addButton }}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="api-keys"
    >
      {over?.kind === 'edit' ? <NewKeyDialog onClose={close} /> : null}
      {over?.kind === 'delete' ? (
        <ConfirmDialog
          title={t('revokeTitle', { name: over.item.name })}
          text={t('revokeText')}
          okLabel={t('revoke')}
          run={() => revokeKey(over.item.id)}
          done={{ title: t('revoked'), text: over.item.name }}
          onClose={close}
        />
      ) : null}
    </ListScreen>
  )
}

const byName = (a: ApiKey, b: ApiKey): number =>
  compareTexts(a.name, b.name) || compareTexts(a.prefix, b.prefix)

const searched = ({ name, prefix, inventoryId, username }: ApiKey) => [
  name,
  prefix,
  inventoryName(inventoryId),
  username,
]

function columnsOf(t: TFunction<'apiKeys'>): readonly GridColumn<ApiKey>[] {
  const day = (
    id: 'createdOn' | 'expiresOn' | 'lastUsedOn',
    render: (apiKey: ApiKey) => string,
  ): GridColumn<ApiKey> => timeColumn(id, t(`column.${id}`), 120, (apiKey) => apiKey[id], { render })
  const dateOf = (time: string | null, none: string) => (time === null ? none : shortDate(new Date(time)))
  const endOf = (apiKey: ApiKey) =>
    isOver(apiKey, Date.now()) ? t('ended') : dateOf(apiKey.expiresOn, t('never'))
  return [
    textColumn('name', t('column.name'), 240, ({ name }) => name, { required: true }),
    textColumn('prefix', t('column.prefix'), 120, ({ prefix }) => `${prefix}…`),
    textColumn('role', t('column.role'), 150, ({ role }) => userTypeOf(role)),
    textColumn('inventory', t('column.inventory'), 220, ({ inventoryId }) => inventoryName(inventoryId)),
    textColumn('username', t('column.username'), 150, ({ username }) => username),
    day('createdOn', ({ createdOn }) => dateOf(createdOn, '')),
    day('expiresOn', endOf),
    day('lastUsedOn', ({ lastUsedOn }) => dateOf(lastUsedOn, t('unused'))),
  ]
}
