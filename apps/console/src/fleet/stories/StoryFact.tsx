// The story that a unit is out for, among the facts of the unit.
import { labelledId } from '@backhaul/contract/nouns/stories'
import type { Unit } from '@backhaul/contract/nouns/units'
import { IconNews } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Fact } from '../../ui/Facts.tsx'
import { askForStories } from './stories.ts'

interface StoryFactProps {
  unit: Pick<Unit, 'uid' | 'name' | 'inventoryId' | 'story' | 'metadata'>
}

/** A unit that has not been reached since does not label what it sends with its newest story yet. */
export function StoryFact({ unit }: StoryFactProps) {
  const { t } = useTranslation('stories')
  const { story, metadata } = unit
  const isWaiting = story !== null && metadata.storyId !== labelledId(story)
  return (
    <Fact
      name={t('story')}
      act={
        <button
          type="button"
          className="plain-button icon-button"
          aria-label={t('ofUnit')}
          data-tip={t('ofUnit')}
          onClick={() => askForStories(unit)}
        >
          <IconNews size={14} />
        </button>
      }
    >
      {story?.slugline ?? t('none')}
      {isWaiting ? <span className="quiet"> {t('notYet')}</span> : null}
    </Fact>
  )
}
