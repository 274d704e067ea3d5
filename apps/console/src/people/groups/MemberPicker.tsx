// Members of the group among the objects of a customer: a searched list of boxes to tick.

import { groupAdministration as calls } from '@backhaul/contract/api/group-administration'
import { ChannelKind } from '@backhaul/contract/nouns/channels'
import type { GroupMember, MemberKind } from '@backhaul/contract/nouns/groups'
import { shortProductName } from '@backhaul/contract/nouns/products'
import { Checkbox, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../doors/reads.ts'
import { useTyped } from '../../kit/lists.ts'
import { reasonText } from '../../texts/generic.ts'
import { disabledBecause } from '../../ui/disabled-reason.ts'
import styles from './manage-groups.module.css'

interface MemberPickerProps {
  kind: MemberKind
  inventoryId: string
  label: string
  chosen: readonly string[]
  readOnly: boolean
  onChosen: (ids: string[]) => void
  /** Hint where there is nothing to choose from; `again` reads the choices again. */
  whenEmpty?: ((again: () => void) => ReactNode) | undefined
  /** Further content of a member's row. */
  extra?: ((member: GroupMember) => ReactNode) | undefined
}

const shownAtMost = 200

export function MemberPicker(props: MemberPickerProps) {
  const { kind, inventoryId, chosen, onChosen } = props
  const { t } = useTranslation('groups')
  const [text, setText] = useState('')
  const searchValue = useTyped(text)
  const {
    data: found,
    errorText,
    again,
  } = useRead(
    calls.choices,
    { params: { id: inventoryId }, query: { kind, limit: shownAtMost, searchValue } },
    { keepsBefore: true },
  )
  const { t: words } = useTranslation('multiview')
  const members = new Set(chosen)
  /** Core sends the type of a unit and the kind of a channel by their names. */
  const noteOf = ({ note }: GroupMember): string => {
    if (kind === 'unit') return shortProductName(note)
    const channelKind = ChannelKind.safeParse(note)
    return kind === 'channel' && channelKind.success ? words(`kind.${channelKind.data}`) : note
  }
  const toggle = (uid: string) =>
    onChosen(members.has(uid) ? chosen.filter((one) => one !== uid) : [...chosen, uid])
  return (
    <div className={styles.memberPicker}>
      <TextInput
        aria-label={t('manage.members.search')}
        placeholder={t('manage.members.search')}
        value={text}
        // The list is searched while one types; Enter here is not yet OK.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <fieldset className={styles.memberList}>
        <legend className="visually-hidden">{props.label}</legend>
        {found?.items.map((one) => (
          <div key={one.uid} className={styles.memberRow}>
            <Checkbox
              label={
                <>
                  <span className="clip">{one.name}</span>
                  <span className="quiet clip">{noteOf(one)}</span>
                  <span className="quiet">{one.isBusy ? t('manage.members.busy') : ''}</span>
                </>
              }
              checked={members.has(one.uid)}
              {...disabledBecause(props.readOnly ? reasonText('role.notAllowed') : undefined)}
              onChange={() => toggle(one.uid)}
            />
            {props.extra ? (
              <div className={styles.memberExtra}>{members.has(one.uid) ? props.extra(one) : null}</div>
            ) : null}
          </div>
        ))}
        {errorText === undefined ? null : <p className="quiet">{errorText}</p>}
        {errorText === undefined && found?.items.length === 0 ? (
          <p className="quiet">{t(text === '' ? `manage.members.none.${kind}` : 'manage.members.noMatch')}</p>
        ) : null}
        {found?.items.length === 0 && text === '' && !props.readOnly
          ? props.whenEmpty?.(() => void again())
          : null}
      </fieldset>
      <p className="quiet" role="status">
        {found && found.total > found.items.length
          ? t('manage.members.more', { shown: found.items.length, found: found.total })
          : t(text === '' ? 'manage.members.chosen' : 'manage.members.chosenInAll', {
              chosen: chosen.length,
              total: found?.total ?? 0,
            })}
      </p>
    </div>
  )
}
