import { IconSearch, IconX } from '@tabler/icons-react'
import { type Ref, useEffect, useImperativeHandle, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

const collapseMs = 500

interface QuickSearchProps {
  value: string
  onChange: (value: string) => void
  label: string
  ref?: Ref<{ focus: () => void }>
  /** The arrow down, Enter, and Escape in an empty field lead on to what is searched. */
  onLeave?: (() => void) | undefined
}

/** Opens when pointed at or focused; closes half a second after it was left, if it is empty (SC-WID-01). */
export function QuickSearch({ value, onChange, label, ref, onLeave }: QuickSearchProps) {
  const { t } = useTranslation('ui')
  const [open, setOpen] = useState(value !== '')
  const input = useRef<HTMLInputElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useImperativeHandle(ref, () => ({ focus: () => input.current?.focus() }))
  useEffect(() => () => clearTimeout(timer.current), [])

  const enter = () => {
    clearTimeout(timer.current)
    setOpen(true)
  }
  const leave = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const field = input.current
      if (field && field.value === '' && document.activeElement !== field) setOpen(false)
    }, collapseMs)
  }

  return (
    <search
      className="quick-search"
      data-open={open || value !== '' || undefined}
      onPointerEnter={enter}
      onPointerLeave={leave}
    >
      <IconSearch size={16} aria-hidden />
      <input
        ref={input}
        type="search"
        value={value}
        aria-label={label}
        placeholder={label}
        onFocus={enter}
        onBlur={leave}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          const clears = event.key === 'Escape' && value !== ''
          if (!clears && !['Escape', 'ArrowDown', 'Enter'].includes(event.key)) return
          event.stopPropagation()
          if (clears) return onChange('')
          if (event.key === 'Escape') input.current?.blur()
          else event.preventDefault()
          onLeave?.()
        }}
      />
      {value === '' ? null : (
        <button type="button" aria-label={t('clear')} onClick={() => onChange('')}>
          <IconX size={14} />
        </button>
      )}
    </search>
  )
}
