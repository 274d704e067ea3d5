// A story: what it is about, and the units that are sent out for it.
import { NewStory, type Story, storyFields } from '@backhaul/contract/nouns/stories'
import { MultiSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaving } from '../../doors/forms.ts'
import { RecordDialog } from '../../kit/RecordDialog.tsx'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { type Offer, offerUnits, saveStory } from './stories.ts'
import { useOffers } from './use-offers.ts'

interface StoryDialogProps {
  /** null: a new one. */
  story: Story | null
  inventory: string
  onDelete: () => void
  onClose: () => void
}

const isLong = (field: keyof NewStory): boolean => field === 'usageTerms' || field === 'comments'

export function StoryDialog({ story, inventory, onDelete, onClose }: StoryDialogProps) {
  const { t } = useTranslation('stories')
  const mayWrite = useMay('writeStories')
  const [form, setForm] = useState<NewStory>(
    () => Object.fromEntries(storyFields.map((field) => [field, story?.[field] ?? ''])) as NewStory,
  )
  const [units, setUnits] = useState<readonly string[]>(story?.assignedUnits ?? [])
  const saving = useSaving()

  return (
    <RecordDialog
      title={story ? t('editTitle') : t('addTitle')}
      size={560}
      saving={saving}
      wish={{
        schema: NewStory,
        typed: form,
        title: t('incomplete'),
        ask: (checked) => saveStory(inventory, story, checked, units),
      }}
      done={(saved) => ({ title: t('saved'), text: saved.slugline })}
      mayWrite={mayWrite}
      onDelete={story ? onDelete : undefined}
      onClose={onClose}
    >
      <div className="form-fields">
        {storyFields.map((field) => {
          const Field = isLong(field) ? Textarea : TextInput
          return (
            <Field
              key={field}
              label={t(`field.${field}`)}
              value={form[field]}
              error={saving.faults[field]}
              required={field === 'slugline'}
              readOnly={!mayWrite}
              {...(field === 'slugline' && { 'data-autofocus': true })}
              {...(isLong(field) && { autosize: true, minRows: 2, maxRows: 6 })}
              onChange={(event) => {
                const { value } = event.currentTarget
                setForm((now) => ({ ...now, [field]: value }))
              }}
            />
          )
        })}
        <UnitsField
          story={story}
          inventory={inventory}
          chosen={units}
          readOnly={!mayWrite}
          onChosen={setUnits}
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
  const offers = useOffers(offerUnits, inventory, text)
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
