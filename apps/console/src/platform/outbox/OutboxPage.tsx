// /manage/outbox: e-mail that waits, that went, and that a mail server refused.
import type { Mail } from '@backhaul/contract/nouns/outbox'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '../../kit/ListScreen.tsx'
import { useFoundList } from '../../kit/lists.ts'
import { Banner } from '../../ui/Banner.tsx'
import { figureColumn, textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { statusColumn } from '../../ui/grid/status-column.tsx'
import { compareTexts } from '../../ui/locale.ts'
import { toast } from '../../ui/toasts.tsx'
import { MailDialog } from './MailDialog.tsx'
import { discardMail, mails, retryMail, shownAtMost } from './outbox.ts'

/** Mail waits and is sent automatically. */
const refreshMs = 10_000

export function OutboxPage() {
  const { t } = useTranslation('outbox')
  const [text, setText] = useState('')
  const list = useFoundList(mails, text, [], { everyMs: refreshMs })
  const { total = 0, unserved = [], search } = list.answer ?? {}
  const [open, setOpen] = useState<Mail | null>(null)
  const columns = useMemo(() => columnsOf(t), [t])

  const act = async (id: string, ask: typeof retryMail, done: 'retried' | 'discarded') => {
    const fault = await ask(id)
    if (fault) toast({ title: fault.title, text: fault.text ?? '', tone: 'critical' })
    else toast({ title: t(done), text: '', tone: 'good' })
    setOpen(null)
  }
  const retry = (id: string) => void act(id, retryMail, 'retried')
  const discard = (id: string) => void act(id, discardMail, 'discarded')
  return (
    <ListScreen
      {...list}
      gridId="outbox"
      search={{ label: t('search'), text, onText: setText }}
      actions={
        total > shownAtMost ? <span className="quiet">{t('more', { count: shownAtMost })}</span> : null
      }
      notice={unserved.map((kind) => (
        <Banner key={kind} tone="warning" title={t(`noServer.${kind}.title`)}>
          {t(`noServer.${kind}.text`)}
        </Banner>
      ))}
      label={t('title')}
      columns={columns}
      defaultCompare={byNewest}
      asked={search}
      onOpen={(id) => setOpen(list.store.get(id) ?? null)}
      rowMenu={(id) => [
        { id: 'open', label: t('open'), run: () => setOpen(list.store.get(id) ?? null) },
        ...(list.store.get(id)?.state === 'sent'
          ? []
          : [{ id: 'retry', label: t('retry'), run: () => retry(id) }]),
        { id: 'discard', label: t('discard'), run: () => discard(id), danger: true },
      ]}
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
