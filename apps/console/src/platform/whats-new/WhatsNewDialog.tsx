import type { NewsNote } from '@backhaul/contract/nouns/whats-new'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogFooter } from '../../ui/DialogFooter.tsx'
import { compareTexts, longDate } from '../../ui/locale.ts'
import { useValue } from '../../ui/value.ts'
import styles from './whats-new.module.css'
import { putNotesAway, unseenNotes } from './whats-new.ts'

const byDay = (a: NewsNote, b: NewsNote): number => compareTexts(b.date, a.date)

/** Once after the sign-in: the notes since the user last looked. However it is closed, it has been seen. */
export function WhatsNewDialog() {
  const { t } = useTranslation('whatsNew')
  const notes = useValue(unseenNotes)
  return (
    <Dialog opened={notes.length > 0} onClose={putNotesAway} title={t('list.title')} size={560}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region has to be reachable by keyboard */}
      <section className={styles.newsNotes} tabIndex={0} aria-label={t('list.title')}>
        {notes.toSorted(byDay).map(({ id, date, title, text }) => (
          <article key={id}>
            <h3>{title}</h3>
            <time dateTime={date} className="quiet">
              {longDate(new Date(`${date}T12:00:00`))}
            </time>
            <p>{text}</p>
          </article>
        ))}
      </section>
      <DialogFooter>
        <Button onClick={putNotesAway} data-autofocus>
          {t('seen')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
