// The stories of a unit: which it is out for, and whose labels go with what it sends.
import { stories as calls } from '@backhaul/contract/api/stories'
import { units } from '@backhaul/contract/api/units'
import { Alert, Button, Select, Switch, Tabs } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keepAnswer, useRead } from '../../doors/reads.ts'
import { useAct } from '../../kit/act.ts'
import { useMay } from '../../session/sign-ins/sign-ins.ts'
import { reasonText } from '../../texts/generic.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { DialogFooter } from '../../ui/DialogFooter.tsx'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import { useValue } from '../../ui/value.ts'
import { NewsroomSync } from './NewsroomSync.tsx'
import styles from './stories.module.css'
import { askedUnit, assignStory, setPrompt, unassignStory } from './stories.ts'
import { useOffers } from './use-offers.ts'

export function UnitStoriesDialog() {
  const { t } = useTranslation('stories')
  const unit = useValue(askedUnit)
  const close = () => askedUnit.set(null)
  return (
    <Dialog opened={unit !== null} onClose={close} size={680} title={t('unitTitle', { name: unit?.name })}>
      {unit ? <Parts key={unit.uid} unit={unit} onClose={close} /> : null}
    </Dialog>
  )
}

function Parts({ unit, onClose }: UnitStoriesProps) {
  const { t } = useTranslation('stories')
  const mayConfigure = useMay('administerDevices')
  return (
    <Tabs defaultValue="selection" keepMounted={false}>
      <Tabs.List aria-label={t('tabs.label')}>
        <Tabs.Tab value="selection">{t('tabs.selection')}</Tabs.Tab>
        <Tabs.Tab value="settings">{t('tabs.settings')}</Tabs.Tab>
        {mayConfigure ? <Tabs.Tab value="newsroom">{t('tabs.newsroom')}</Tabs.Tab> : null}
      </Tabs.List>
      <Tabs.Panel value="selection" pt="md">
        <UnitStories unit={unit} onClose={onClose} />
      </Tabs.Panel>
      <Tabs.Panel value="settings" pt="md">
        <Settings unit={unit} onClose={onClose} />
      </Tabs.Panel>
      <Tabs.Panel value="newsroom" pt="md">
        <NewsroomSync inventoryId={unit.inventoryId} onClose={onClose} />
      </Tabs.Panel>
    </Tabs>
  )
}

/** Switches apply at once. */
function Settings({ unit, onClose }: UnitStoriesProps) {
  const { t } = useTranslation('stories')
  const mayWrite = useMay('writeStories')
  const { data, errorText, again } = useRead(units.one, { params: { id: unit.uid } })
  const change = useAct()
  const fault = change.words ?? errorText
  return (
    <>
      <Switch
        label={t('prompt.label')}
        description={t('prompt.hint')}
        {...disabledBecause(mayWrite ? undefined : reasonText('role.notAllowed'))}
        disabled={!mayWrite || data === undefined || change.busy}
        checked={data?.promptMetadata ?? false}
        onChange={(event) => {
          const isOn = event.currentTarget.checked
          void change.run(async () => {
            await setPrompt(unit, isOn)
            await again()
            return undefined
          })
        }}
      />
      {fault === undefined ? null : (
        <Alert color="red" mt="sm">
          {fault}
        </Alert>
      )}
      <DialogFooter>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogFooter>
    </>
  )
}

interface UnitStoriesProps {
  unit: NonNullable<ReturnType<typeof askedUnit.get>>
  onClose: () => void
}

function UnitStories({ unit, onClose }: UnitStoriesProps) {
  const { t } = useTranslation('stories')
  const mayWrite = useMay('writeStories')
  const params = { id: unit.inventoryId, unit: unit.uid }
  const { data: all, errorText } = useRead(calls.ofUnit, { params })
  const [text, setText] = useState('')
  const offers = useOffers('stories', unit.inventoryId, text)
  const change = useAct()
  const fault = change.words ?? errorText
  const act = (ask: typeof assignStory, storyId: string) =>
    void change.run(async () => {
      await keepAnswer(calls.ofUnit, { params }, await ask(unit, storyId))
      return undefined
    })
  const isNew = ({ value }: { value: string }) => !all?.some(({ storyId }) => storyId === value)

  return (
    <>
      {all?.length === 0 ? <p className="quiet">{t('unitNone')}</p> : null}
      <ol className={styles.unitStories}>
        {all?.map(({ storyId, slugline, crewName }, at) => (
          <li key={storyId} aria-current={at === 0 || undefined}>
            <span className={styles.unitStoryWords}>
              <strong className="clip">{slugline}</strong>
              <span className="quiet clip">{at === 0 ? t('isCurrent') : crewName}</span>
            </span>
            {mayWrite && at > 0 ? (
              <Button size="xs" variant="default" onClick={() => act(assignStory, storyId)}>
                {t('makeCurrent')}
              </Button>
            ) : null}
            {mayWrite ? (
              <Button
                size="xs"
                variant="subtle"
                color="gray"
                aria-label={t('takeAway', { name: slugline })}
                onClick={() => act(unassignStory, storyId)}
              >
                {t('remove')}
              </Button>
            ) : null}
          </li>
        ))}
      </ol>
      {mayWrite ? (
        <Select
          label={t('assign')}
          description={t('assignHint')}
          placeholder={t('search')}
          data={offers.filter(isNew)}
          value={null}
          searchable
          searchValue={text}
          nothingFoundMessage={t('noStory')}
          onSearchChange={setText}
          onChange={(storyId) => storyId !== null && act(assignStory, storyId)}
        />
      ) : null}
      {fault === undefined ? null : (
        <Alert color="red" mt="sm">
          {fault}
        </Alert>
      )}
      <DialogFooter>
        <Button onClick={onClose}>{t('close')}</Button>
      </DialogFooter>
    </>
  )
}
