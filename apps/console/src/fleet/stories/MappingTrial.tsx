// Result of the mapping file for pasted content.
import { type MappedStories, MappingTest } from '@backhaul/contract/nouns/ingest'
import { Alert, Button, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import { givenReason } from '../../texts/generic.ts'
import { testMapping } from './newsroom.ts'
import styles from './stories.module.css'

interface MappingTrialProps {
  inventoryId: string
  /** Why it cannot be tested. */
  closed: string | undefined
}

export function MappingTrial({ inventoryId, closed }: MappingTrialProps) {
  const { t } = useTranslation('stories')
  const [found, setFound] = useState<MappedStories>()
  const record = useRecordForm({
    start: () => ({ content: '' }),
    schema: MappingTest,
    save: async ({ content }) => void setFound(await testMapping(inventoryId, content)),
  })
  const { values, set, faults, unplaced, busy } = record
  return (
    <fieldset className="form-group">
      <legend>{t('newsroom.trial.title')}</legend>
      <Textarea
        label={t('newsroom.trial.label')}
        description={t('newsroom.trial.hint')}
        autosize
        minRows={3}
        maxRows={8}
        spellCheck={false}
        disabled={closed !== undefined}
        value={values.content}
        error={faults.content}
        onChange={(event) => {
          setFound(undefined)
          set({ content: event.currentTarget.value })
        }}
      />
      <span data-tip={closed}>
        <Button
          variant="default"
          size="xs"
          mt="xs"
          disabled={closed !== undefined}
          loading={busy}
          onClick={() => {
            setFound(undefined)
            void record.save()
          }}
        >
          {t('newsroom.trial.run')}
        </Button>
      </span>
      {unplaced ? (
        <Alert color="red" mt="sm">
          {unplaced}
        </Alert>
      ) : null}
      {found ? <Found found={found} /> : null}
    </fieldset>
  )
}

function Found({ found: { stories, skipped } }: { found: MappedStories }) {
  const { t } = useTranslation('stories')
  return (
    <div role="status">
      <p>{t('newsroom.trial.found', { count: stories.length })}</p>
      <ul className={styles.mapped}>
        {stories.map(({ storyId, slugline, reporter }) => (
          <li key={storyId}>
            <strong>{slugline}</strong>
            <span className="quiet">
              {[' ', storyId, reporter && `· ${reporter}`].filter(Boolean).join(' ')}
            </span>
          </li>
        ))}
      </ul>
      {skipped.length === 0 ? null : (
        <Alert color="yellow" mt="sm">
          {skipped.map(({ position, reason, cause }) => (
            <div key={position}>{givenReason({ reason, cause })}</div>
          ))}
        </Alert>
      )}
    </div>
  )
}
