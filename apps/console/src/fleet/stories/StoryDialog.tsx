// A story: its subject, and the units that are sent out for it.
import { NewStory, type Story, storyFields } from '@backhaul/contract/nouns/stories'
import { Alert, MultiSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRecordForm } from '../../doors/forms.ts'
import type { ItemEnds } from '../../kit/EditedListScreen.tsx'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { type Offer, saveStory } from './stories.ts'
import { useOffers } from './use-offers.ts'

interface StoryDialogProps extends ItemEnds {
  /** null: a new one. */
  story: Story | null
  inventory: string
}

const textsOf = (story: Story | null): NewStory =>
  Object.fromEntries(storyFields.map((field) => [field, story?.[field] ?? ''])) as NewStory

const isLong = (field: keyof NewStory): boolean => field === 'usageTerms' || field === 'comments'

export function StoryDialog({ story, inventory, ...ends }: StoryDialogProps) {
  const { t } = useTranslation('stories')
  const mayWrite = useMay('writeStories')
  const record = useRecordForm({
    start: (): { story: NewStory; units: readonly string[] } => ({
      story: textsOf(story),
      units: story?.assignedUnits ?? [],
    }),
    schema: NewStory,
    requestOf: (form) => form.story,
    fieldOf: (field) => `story.${field}`,
    title: t('incomplete'),
    save: (request, { units }) => saveStory(inventory, story, request, units),
  })
  const { values: form, set, faults } = record

  return (
    <RecordDialog
      title={story ? t('editTitle') : t('addTitle')}
      size={560}
      record={record}
      done={(saved) => ({ title: t('saved'), text: saved.slugline })}
      mayWrite={mayWrite}
      {...ends}
    >
      <div className="form-fields">
        {story?.newsroomId ? <Alert>{t('newsroom.fromNewsroom')}</Alert> : null}
        {storyFields.map((field) => {
          const Field = isLong(field) ? Textarea : TextInput
          return (
            <Field
              key={field}
              label={t(`field.${field}`)}
              value={form.story[field]}
              error={faults[`story.${field}`]}
              required={field === 'slugline'}
              readOnly={!mayWrite}
              {...(field === 'slugline' && { 'data-autofocus': true })}
              {...(isLong(field) && { autosize: true, minRows: 2, maxRows: 6 })}
              onChange={(event) => {
                const { value } = event.currentTarget
                set({ story: { ...form.story, [field]: value } })
              }}
            />
          )
        })}
        <UnitsField
          story={story}
          inventory={inventory}
          chosen={form.units}
          readOnly={!mayWrite}
          onChosen={(units) => set({ units })}
        />
      </div>
    </RecordDialog>
  )
}

interface UnitsFieldProps {
  story: Story | null
  inventory: string
  chosen: readonly string[]
  readOnly: boolean
  onChosen: (units: string[]) => void
}

function UnitsField({ story, inventory, chosen, readOnly, onChosen }: UnitsFieldProps) {
  const { t } = useTranslation('stories')
  const [text, setText] = useState('')
  const [known, setKnown] = useState<readonly Offer[]>(() => assignedOf(story))
  const offers = useOffers('units', inventory, text)
  const missing = known.filter(({ value }) => !offers.some((offer) => offer.value === value))
  return (
    <MultiSelect
      label={t('field.units')}
      description={t('unitsHint')}
      data={[...offers, ...missing]}
      value={[...chosen]}
      readOnly={readOnly}
      searchable
      searchValue={text}
      nothingFoundMessage={t('noUnit')}
      onSearchChange={setText}
      onChange={(next) => {
        setKnown([...offers, ...missing].filter(({ value }) => next.includes(value)))
        onChosen(next)
      }}
    />
  )
}

const assignedOf = (story: Story | null): Offer[] =>
  (story?.assignedUnits ?? []).map((value, at) => ({ value, label: story?.assignedUnitNames[at] ?? value }))
