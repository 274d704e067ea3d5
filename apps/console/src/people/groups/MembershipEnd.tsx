// Until when a unit belongs to a group, as the button that changes it.
import type { GroupMember } from '@backhaul/contract/nouns/groups'
import { DURATION_AT_MOST, type MembershipDuration } from '@backhaul/contract/nouns/membership-expiry'
import { Alert, Button, NativeSelect, NumberInput, Popover } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Fault } from '../../doors/api.ts'
import { useRecordForm } from '../../doors/forms.ts'
import { Form } from '../../ui/Form.tsx'
import { type KeyedStore, useItem } from '../../ui/keyed-store.ts'
import { dateAndTime } from '../../ui/locale.ts'
import { lend } from './unit-ends.ts'

interface MembershipEndProps {
  ends: KeyedStore<GroupMember>
  groupId: string
  unit: { uid: string; name: string }
}

/** Empty for a unit that is not saved as a member yet. */
export function MembershipEnd({ ends, groupId, unit }: MembershipEndProps) {
  const { t } = useTranslation('groups')
  const [isOpen, setOpen] = useState(false)
  const member = useItem(ends, unit.uid)
  if (!member) return null
  const until = member.expiresAt && dateAndTime(new Date(member.expiresAt))
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={260} trapFocus>
      <Popover.Target>
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={t(until ? 'manage.ends.changeUntil' : 'manage.ends.change', { name: unit.name, until })}
          {...(isOpen && ownEscape)}
          onClick={() => setOpen(!isOpen)}
          onKeyDown={(event) => event.key === 'Escape' && setOpen(false)}
        >
          {until ? t('manage.ends.until', { until }) : t('manage.ends.unlimited')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Choice run={(duration) => lend(groupId, unit.uid, duration)} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Escape closes the choice alone, not the dialog under it. */
const ownEscape = { 'data-mantine-stop-propagation': true }

const kinds = ['hours', 'days', 'unlimited'] as const
type Kind = (typeof kinds)[number]

interface ChoiceProps {
  run: (duration: MembershipDuration) => Promise<Fault | undefined>
  onDone: () => void
}

function Choice({ run, onDone }: ChoiceProps) {
  const { t } = useTranslation('groups')
  const record = useRecordForm<{ kind: Kind; count: number }, MembershipDuration>({
    start: () => ({ kind: 'days', count: 1 }),
    requestOf: ({ kind, count }) => durationOf(kind, count),
    save: run,
  })
  const { kind, count } = record.values
  const save = async () => void ((await record.save()) && onDone())
  return (
    <Form className="form-fields" onSubmit={() => void save()}>
      <NativeSelect
        {...ownEscape}
        label={t('manage.ends.for')}
        data={kinds.map((value) => ({ value, label: t(`manage.ends.kinds.${value}`) }))}
        value={kind}
        data-autofocus
        onChange={(event) => record.set({ kind: event.currentTarget.value as Kind })}
      />
      {kind === 'unlimited' ? null : (
        <NumberInput
          {...ownEscape}
          label={t('manage.ends.count')}
          value={count}
          min={1}
          max={DURATION_AT_MOST}
          clampBehavior="strict"
          allowDecimal={false}
          onChange={(value) => record.set({ count: Number(value) || 1 })}
        />
      )}
      <p className="quiet">{t(kind === 'unlimited' ? 'manage.ends.unlimitedHint' : 'manage.ends.hint')}</p>
      {record.words ? <Alert color="red">{record.words}</Alert> : null}
      <Button {...ownEscape} type="submit" loading={record.busy}>
        {t('manage.ends.set')}
      </Button>
    </Form>
  )
}

const durationOf = (kind: Kind, count: number): MembershipDuration => {
  if (kind === 'unlimited') return kind
  return count === 1 ? `1 ${kind.slice(0, -1)}` : `${count} ${kind}`
}
