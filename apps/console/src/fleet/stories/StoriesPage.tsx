// /unit/stories: the stories of a customer, and the units that are out for them.
import type { Story } from '@backhaul/contract/nouns/stories'
import { Button } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EditedItems } from '../../kit/EditedListScreen.tsx'
import { useCustomerList } from '../../people/inventory-names/InventoryChoice.tsx'
import { inventoryName } from '../../people/inventory-names/inventory-names.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { textColumn, timeColumn } from '../../ui/grid/columns.ts'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { NewsroomDialog } from './NewsroomDialog.tsx'
import { StoryDialog } from './StoryDialog.tsx'
import { removeStory, stories } from './stories.ts'

/** Stories of a newsroom come by themselves. */
const refreshMs = 10_000

export function StoriesPage() {
  const { t } = useTranslation('stories')
  const { choice, inventory, ...list } = useCustomerList(stories, refreshMs)
  const mayWrite = useMay('writeStories')
  const columns = useMemo(() => columnsOf(t), [t])
  const words = t('list', { returnObjects: true })
  return (
    <EditedItems
      list={list}
      gridId="stories"
      exportName="stories"
      words={mayWrite ? words : { ...words, edit: words.open }}
      mayWrite={mayWrite}
      actions={
        <>
          {choice}
          <NewsroomButton inventory={inventory} />
        </>
      }
      columns={columns}
      defaultCompare={bySlugline}
      searched={searched}
      idOf={({ storyId }) => storyId}
      form={(story, more) => (
        <StoryDialog
          key={story?.storyId}
          story={story}
          inventory={story?.inventoryId ?? inventory}
          {...more}
        />
      )}
      question={(story) => ({
        title: t('deleteTitle', { name: story.slugline }),
        text: t('deleteText', { count: story.assignedUnits.length }),
        run: () => removeStory(story),
        done: { title: t('deleted'), text: story.slugline },
      })}
    />
  )
}

/** The button of the newsroom, for users who may know the account of the customer. */
function NewsroomButton({ inventory }: { inventory: string }) {
  const { t } = useTranslation('stories')
  const mayConfigure = useMay('administerDevices')
  const [isOpen, setIsOpen] = useState(false)
  if (!mayConfigure || inventory === '') return null
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setIsOpen(true)}>
        {t('newsroom.action')}
      </Button>
      {isOpen ? (
        <NewsroomDialog
          inventory={{ id: inventory, name: inventoryName(inventory) }}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </>
  )
}

const bySlugline = (a: Story, b: Story): number => compareTexts(a.slugline, b.slugline)

const searched = (story: Story) => [
  story.slugline,
  story.crewName,
  story.provider,
  story.reporter,
  story.keywords,
  ...story.assignedUnitNames,
]

function columnsOf(t: TFunction<'stories'>): readonly GridColumn<Story>[] {
  return [
    textColumn('slugline', t('field.slugline'), 240, ({ slugline }) => slugline, { required: true }),
    textColumn('units', t('field.units'), 220, ({ assignedUnitNames }) => assignedUnitNames.join(', ')),
    textColumn('crewName', t('field.crewName'), 140, ({ crewName }) => crewName),
    textColumn('reporter', t('field.reporter'), 140, ({ reporter }) => reporter),
    textColumn('provider', t('field.provider'), 150, ({ provider }) => provider),
    textColumn('keywords', t('field.keywords'), 180, ({ keywords }) => keywords),
    textColumn('usageTerms', t('field.usageTerms'), 180, ({ usageTerms }) => usageTerms, {
      hiddenAtFirst: true,
    }),
    textColumn('comments', t('field.comments'), 220, ({ comments }) => comments, { hiddenAtFirst: true }),
    timeColumn('lastModified', t('field.lastModified'), 180, ({ lastModified }) => lastModified),
  ]
}
