// /manage/outbox: e-mail that waits, that went, and that a mail server refused.
import type { Mail } from '@backhaul/contract/nouns/outbox'
import { Alert } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ColumnsMenu } from '../../ui/grid/ColumnsMenu.tsx'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { LiveGrid } from '../../ui/grid/LiveGrid.tsx'
import { QuickSearch } from '../../ui/QuickSearch.tsx'
import { toast } from '../../ui/toasts.tsx'
import { useHotKey } from '../../ui/use-hot-key.ts'
import { useValue } from '../../ui/value.ts'
import { setGridPrefs, usePreference } from '../preferences/preferences.ts'
import { MailDialog } from './MailDialog.tsx'
import { discardMail, loadOutbox, mailStore, outboxState, retryMail, shownAtMost } from './outbox.ts'
import './outbox.css'

const gridId = 'outbox'
/** Until the list is asked again while somebody types, and from one look to the next. */
const typingMs = 250
const refreshMs = 10_000

export function OutboxPage() {
  const { t } = useTranslation('outbox')
  const prefs = usePreference((all) => all.gridPrefs[gridId])
  const list = useValue(outboxState)
  const [text, setText] = useState('')
  const [selected, select] = useState<string | null>(null)
  const [open, setOpen] = useState<Mail | null>(null)
  const search = useRef<{ focus: () => void }>(null)
  const columns = useMemo(() => columnsOf(t), [t])
  useHotKey('/', () => search.current?.focus())
  useEffect(() => {
    const typing = setTimeout(() => void loadOutbox(text.trim()), typingMs)
    const refresh = setInterval(() => void loadOutbox(text.trim()), refreshMs)
    return () => {
      clearTimeout(typing)
      clearInterval(refresh)
    }
  }, [text])

  const savePrefs = (next: Parameters<typeof setGridPrefs>[1]) => setGridPrefs(gridId, next)
  const tell = async (id: string, ask: typeof retryMail, done: 'retried' | 'discarded') => {
    const fault = await ask(id, text.trim())
    if (fault) toast({ title: fault.title, text: fault.text ?? '', tone: 'critical' })
    else toast({ title: t(done), text: '', tone: 'good' })
    setOpen(null)
  }
  const retry = (id: string) => void tell(id, retryMail, 'retried')
  const discard = (id: string) => void tell(id, discardMail, 'discarded')
  return (
    <div className="outbox">
      <div className="toolbar-row">
        <QuickSearch ref={search} value={text} label={t('search')} onChange={setText} />
        {list.total > shownAtMost ? <span className="quiet">{t('more', { count: shownAtMost })}</span> : null}
        <span className="toolbar-end">
          <ColumnsMenu columns={columns} prefs={prefs} onPrefs={savePrefs} />
        </span>
      </div>
      {list.isConnected ? null : (
        <Alert className="outbox-note" color="yellow" title={t('noServer.title')}>
          {t('noServer.text')}
        </Alert>
      )}
      <div className="outbox-grid">
        <LiveGrid
          label={t('title')}
          store={mailStore}
          columns={columns}
          defaultCompare={byNewest}
          filter={all}
          prefs={prefs}
          onPrefs={savePrefs}
          selectedId={selected}
          onSelect={select}
          onOpen={(id) => setOpen(mailStore.get(id) ?? null)}
          rowMenu={(id) => [
            { id: 'open', label: t('open'), run: () => setOpen(mailStore.get(id) ?? null) },
            ...(mailStore.get(id)?.state === 'sent'
              ? []
              : [{ id: 'retry', label: t('retry'), run: () => retry(id) }]),
            { id: 'discard', label: t('discard'), run: () => discard(id) },
          ]}
          state={list.state}
          {...(list.errorText !== undefined && { errorText: list.errorText })}
          onRetry={() => void loadOutbox(text.trim())}
          empty={t(text.trim() === '' ? 'empty' : 'noMatch', { returnObjects: true })}
          noMatch={{ ...t('noMatch', { returnObjects: true }), clear: () => setText('') }}
          exportName="outbox"
        />
      </div>
      {open ? (
        <MailDialog
          mail={open}
          onRetry={() => retry(open.id)}
          onDiscard={() => discard(open.id)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  )
}

const all = () => true
const byNewest = (a: Mail, b: Mail): number => b.createdOn.localeCompare(a.createdOn)

const timeOf = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const time = (text: string | null) => (text === null ? '' : timeOf.format(new Date(text)))

function columnsOf(t: TFunction<'outbox'>): readonly GridColumn<Mail>[] {
  const column = (
    id: 'recipient' | 'subject' | 'state' | 'fault',
    width: number,
    text: (mail: Mail) => string,
  ): GridColumn<Mail> => ({
    id,
    title: t(`columns.${id}`),
    width,
    render: text,
    text,
    compare: (a, b) => text(a).localeCompare(text(b)),
  })
  const moment = (id: 'createdOn' | 'sentOn'): GridColumn<Mail> => ({
    id,
    title: t(`columns.${id}`),
    width: 170,
    render: (mail) => time(mail[id]),
    text: (mail) => mail[id] ?? '',
    compare: (a, b) => (a[id] ?? '').localeCompare(b[id] ?? ''),
  })
  return [
    { ...column('recipient', 240, ({ recipient }) => recipient), required: true },
    column('subject', 320, ({ subject }) => subject),
    column('state', 100, ({ state }) => t(`state.${state}`)),
    moment('createdOn'),
    moment('sentOn'),
    {
      id: 'tries',
      title: t('columns.tries'),
      width: 70,
      align: 'end',
      render: ({ tries }) => tries,
      text: ({ tries }) => String(tries),
      compare: (a, b) => a.tries - b.tries,
    },
    column('fault', 320, ({ fault }) => fault),
  ]
}
