import { Button } from '@mantine/core'

interface ActButtonProps {
  label: string
  /** Why it cannot be pressed now. */
  closed: string | undefined
  busy?: boolean
  onPress: () => void
}

/** A button that shows why it is closed. */
export function ActButton({ label, closed, busy = false, onPress }: ActButtonProps) {
  return (
    <span data-tip={closed}>
      <Button
        variant="default"
        loading={busy}
        disabled={closed !== undefined}
        aria-description={closed}
        onClick={onPress}
      >
        {label}
      </Button>
    </span>
  )
}
