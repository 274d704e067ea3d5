// /manage/outbox: e-mail that waits, that went, and that a mail server refused.
import type { Mail } from '@backhaul/contract/nouns/outbox'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { Banner } from '../../ui/Banner.tsx'
import { figureColumn, textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { compareTexts } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import { useValue } from '../../ui/value.ts'
import { MailDialog } from './MailDialog.tsx'
import { discardMail, loadOutbox, mailStore, outboxState, retryMail, shownAtMost } from './outbox.ts'
import './outbox.css'

/** Until the list is asked again while somebody types, and from one look to the next. */
const typingMs = 250
const refreshMs = 10_000

export function OutboxPage() {
  const { t } = useTranslation('outbox')
  const list = useValue(outboxState)
  const [text, setText] = useState('')
  const [open, setOpen] = useState<Mail | null>(null)
  const columns = useMemo(() => columnsOf(t), [t])
  useEffect(() => {
    const typing = setTimeout(() => void loadOutbox(text.trim()), typingMs)
    const refresh = setInterval(() => void loadOutbox(text.trim()), refreshMs)
    return () => {
      clearTimeout(typing)
      clearInterval(refresh)
    }
  }, [text])

  const tell = async (id: string, ask: typeof retryMail, done: 'retried' | 'discarded') => {
    const fault = await ask(id, text.trim())
    if (fault) toast({ title: fault.title, text: fault.text ?? '', tone: 'critical' })
    else toast({ title: t(done), text: '', tone: 'good' })
    setOpen(null)
  }
  const retry = (id: string) => void tell(id, retryMail, 'retried')
  const discard = (id: string) => void tell(id, discardMail, 'discarded')
  return (
    <ListScreen
      gridId="outbox"
      search={{ label: t('search'), text, onText: setText }}
      actions={
        list.total > shownAtMost ? <span className="quiet">{t('more', { count: shownAtMost })}</span> : null
      }
      notice={list.unserved.map((kind) => (
        <Banner key={kind} tone="warning" title={t(`noServer.${kind}.title`)}>
          {t(`noServer.${kind}.text`)}
        </Banner>
      ))}
      label={t('title')}
      store={mailStore}
      columns={columns}
      defaultCompare={byNewest}
      asked={list.search}
      onOpen={(id) => setOpen(mailStore.get(id) ?? null)}
      rowMenu={(id) => [
        { id: 'open', label: t('open'), run: () => setOpen(mailStore.get(id) ?? null) },
        ...(mailStore.get(id)?.state === 'sent'
          ? []
          : [{ id: 'retry', label: t('retry'), run: () => retry(id) }]),
        { id: 'discard', label: t('discard'), run: () => discard(id), danger: true },
      ]}
      state={list.state}
      errorText={list.errorText}
      onRetry={() => void loadOutbox(text.trim())}
      empty={t(text.trim() === '' ? 'empty' : 'noMatch', { returnObjects: true })}
      noMatch={t('noMatch', { returnObjects: true })}
      exportName="outbox"
    >
      {open ? (
        <MailDialog
          mail={open}
          onRetry={() => retry(open.id)}
          onDiscard={() => discard(open.id)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </ListScreen>
  )
}

const looks = {
  waiting: { shape: 'ring', tone: 'transition' },
  sent: { shape: 'disc', tone: 'ready' },
  failed: { shape: 'octagon', tone: 'critical' },
} as const

const byNewest = (a: Mail, b: Mail): number => compareTexts(b.createdOn, a.createdOn)

function columnsOf(t: TFunction<'outbox'>): readonly GridColumn<Mail>[] {
  return [
    textColumn('recipient', t('columns.recipient'), 240, ({ recipient }) => recipient, { required: true }),
    textColumn('kind', t('columns.kind'), 80, ({ kind }) => t(`kind.${kind}`)),
    textColumn('subject', t('columns.subject'), 320, ({ subject }) => subject),
    statusColumn(
      'state',
      t('columns.state'),
      110,
      ({ state }) => t(`state.${state}`),
      ({ state }) => looks[state],
    ),
    timeColumn('createdOn', t('columns.createdOn'), 170, ({ createdOn }) => createdOn),
    timeColumn('sentOn', t('columns.sentOn'), 170, ({ sentOn }) => sentOn),
    figureColumn('tries', t('columns.tries'), 70, ({ tries }) => tries),
    textColumn('fault', t('columns.fault'), 320, ({ fault }) => fault),
  ]
}
