// /manage/audit: the log of changes, searched by core since its beginning.
import type { AuditEntry } from '@backhaul/contract/nouns/audit'
import { useDebouncedValue } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useList } from '../../kit/lists.ts'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import type { Look } from '../../ui/StatusGlyph.tsx'
import { toast } from '../../ui/toasts.tsx'
import { AuditDialog } from './AuditDialog.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { anything, exportLines, filterOf, lines, type Wanted } from './audit.ts'
import { useActionText, useResultText } from './audit-texts.ts'

/** Delay after typing until the list is requested again. */
const typingMs = 250

export function AuditPage() {
  const { t } = useTranslation('audit')
  const [action, result] = [useActionText(), useResultText()]
  const [wanted, setWanted] = useState(anything)
  const [open, setOpen] = useState<AuditEntry | null>(null)
  const [exporting, setExporting] = useState(false)
  const columns = useMemo(() => columnsOf(t, { action, result }), [t, action, result])
  const [filter] = useDebouncedValue(
    useMemo(() => filterOf(wanted), [wanted]),
    typingMs,
  )
  const [pages, setPages] = useState(1)
  const list = useList(lines, [filter, pages], { keepsBefore: true })
  const total = list.answer?.total ?? 0
  const narrow = (next: Wanted) => {
    setWanted(next)
    setPages(1)
  }

  async function exportAll() {
    setExporting(true)
    const fault = await exportLines(filter)
    setExporting(false)
    if (fault) toast({ title: fault.title, text: fault.text ?? '', tone: 'critical' })
  }

  const held = list.items.length
  const isNarrowed = Object.keys(filter).length > 0
  return (
    <ListScreen
      {...list}
      gridId="audit"
      search={{
        label: t('search'),
        text: wanted.search,
        onText: (search) => narrow({ ...wanted, search }),
      }}
      actions={
        <>
          {total > held && list.state === 'ready' ? (
            <button type="button" className="plain-button tool-button" onClick={() => setPages(pages + 1)}>
              {t('more', { held, total })}
            </button>
          ) : null}
          <button
            type="button"
            className="plain-button tool-button"
            aria-disabled={exporting}
            onClick={() => (exporting ? undefined : void exportAll())}
          >
            <IconDownload size={16} aria-hidden />
            {t('export')}
          </button>
        </>
      }
      notice={<AuditFilters wanted={wanted} onWanted={narrow} />}
      label={t('title')}
      columns={columns}
      defaultCompare={byNewest}
      asked={list.answer}
      onOpen={(id) => setOpen(list.store.get(id) ?? null)}
      rowMenu={(id) => [{ id: 'open', label: t('open'), run: () => setOpen(list.store.get(id) ?? null) }]}
      empty={t(isNarrowed ? 'noMatch' : 'empty', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="audit"
    >
      {open ? <AuditDialog line={open} onClose={() => setOpen(null)} /> : null}
    </ListScreen>
  )
}

/** As core orders them; lines of one moment in the order of their ids. */
const byNewest = (a: AuditEntry, b: AuditEntry): number =>
  Date.parse(b.at) - Date.parse(a.at) || (a.id < b.id ? 1 : -1)

/** An object without a name in the fleet may have been given one by the call itself. */
function thingOf({ objectName, objectId, details: { name, body } }: AuditEntry): string {
  const given = [name, body].find((text) => typeof text === 'string')
  return objectName ?? (given as string | undefined) ?? objectId ?? ''
}

const lookOf = ({ result }: AuditEntry): Look =>
  result === 'done' ? { shape: 'disc', tone: 'ready' } : { shape: 'triangle', tone: 'warning' }

interface Words {
  action: (name: string) => string
  result: (line: AuditEntry) => string
}

function columnsOf(t: TFunction<'audit'>, words: Words): readonly GridColumn<AuditEntry>[] {
  const person = ({ username, apiKey }: AuditEntry) =>
    apiKey === null ? username : `${username} · ${apiKey}`
  return [
    timeColumn('at', t('columns.at'), 190, ({ at }) => at, { required: true }),
    textColumn('username', t('columns.username'), 180, person),
    textColumn('action', t('columns.action'), 280, ({ action }) => words.action(action)),
    textColumn('thing', t('columns.thing'), 260, thingOf),
    statusColumn('result', t('columns.result'), 240, words.result, lookOf),
    textColumn('address', t('columns.address'), 150, ({ address }) => address),
  ]
}
