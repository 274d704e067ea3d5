// What of a customer belongs to the group: a searched list of boxes to tick.
import { groupAdministration as calls } from '@backhaul/contract/api/group-administration'
import { ChannelKind } from '@backhaul/contract/nouns/channels'
import type { GroupMember, MemberKind } from '@backhaul/contract/nouns/groups'
import { shortProductName } from '@backhaul/contract/nouns/products'
import { Checkbox, TextInput } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, describeFault, faultWords } from '../../doors/api.ts'
import { generic } from '../../texts/generic.ts'
import { closedBy } from '../../ui/closed.ts'
import './manage-groups.css'

interface MemberPickerProps {
  kind: MemberKind
  inventoryId: string
  label: string
  chosen: readonly string[]
  readOnly: boolean
  onChosen: (ids: string[]) => void
  /** What to do where there is nothing to choose from; `again` reads the choices again. */
  whenEmpty?: ((again: () => void) => ReactNode) | undefined
  /** What else stands in the row of a member. */
  beside?: ((member: GroupMember) => ReactNode) | undefined
}

interface Found {
  items: readonly GroupMember[]
  total: number
  errorText?: string
}

const shownAtMost = 200
/** ms after the last key until core is asked */
const typingPauseMs = 200

export function MemberPicker(props: MemberPickerProps) {
  const { kind, inventoryId, chosen, onChosen } = props
  const { t } = useTranslation('groups')
  const [text, setText] = useState('')
  const [turn, setTurn] = useState(0)
  const again = () => setTurn((now) => now + 1)
  const found = useChoices(kind, inventoryId, text, turn)
  const { t: words } = useTranslation('multiview')
  const members = new Set(chosen)
  /** Core tells the type of a unit and the kind of a channel by their names. */
  const noteOf = ({ note }: GroupMember): string => {
    if (kind === 'unit') return shortProductName(note)
    const channelKind = ChannelKind.safeParse(note)
    return kind === 'channel' && channelKind.success ? words(`kind.${channelKind.data}`) : note
  }
  const toggle = (uid: string) =>
    onChosen(members.has(uid) ? chosen.filter((one) => one !== uid) : [...chosen, uid])
  return (
    <div className="member-picker">
      <TextInput
        aria-label={t('manage.members.search')}
        placeholder={t('manage.members.search')}
        value={text}
        // The list is searched while one types; Enter here is not yet OK.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <fieldset className="member-list">
        <legend className="visually-hidden">{props.label}</legend>
        {found?.items.map((one) => (
          <div key={one.uid} className="member-row">
            <Checkbox
              label={
                <>
                  <span className="clip">{one.name}</span>
                  <span className="quiet clip">{noteOf(one)}</span>
                  <span className="quiet">{one.isBusy ? t('manage.members.busy') : ''}</span>
                </>
              }
              checked={members.has(one.uid)}
              {...closedBy(props.readOnly ? generic('notForUserType') : undefined)}
              onChange={() => toggle(one.uid)}
            />
            {props.beside ? (
              <div className="member-beside">{members.has(one.uid) ? props.beside(one) : null}</div>
            ) : null}
          </div>
        ))}
        {found?.items.length === 0 ? (
          <p className="quiet">
            {found.errorText ?? t(text === '' ? `manage.members.none.${kind}` : 'manage.members.noMatch')}
          </p>
        ) : null}
        {found?.items.length === 0 && text === '' && !props.readOnly ? props.whenEmpty?.(again) : null}
      </fieldset>
      <p className="quiet" role="status">
        {found && found.total > found.items.length
          ? t('manage.members.more', { shown: found.items.length, found: found.total })
          : t('manage.members.chosen', { chosen: chosen.length, total: found?.total ?? 0 })}
      </p>
    </div>
  )
}

/** Read anew with each `turn`. */
function useChoices(kind: MemberKind, id: string, searchValue: string, turn: number): Found | undefined {
  const [found, setFound] = useState<Found>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn reads again
  useEffect(() => {
    let isWanted = true
    const read = () =>
      call(calls.choices, { params: { id }, query: { kind, limit: shownAtMost, searchValue } }).then(
        (answer) => isWanted && setFound(answer),
        (error) => isWanted && setFound({ items: [], total: 0, errorText: faultWords(describeFault(error)) }),
      )
    const timer = setTimeout(() => void read(), searchValue === '' ? 0 : typingPauseMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [kind, id, searchValue, turn])
  return found
}
