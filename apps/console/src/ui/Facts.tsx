import type { ReactNode } from 'react'
import styles from './facts.module.css'

interface FactsProps {
  /** A name without a value (null) is left out. */
  facts?: readonly (readonly [name: string, value: ReactNode])[]
  /** More of them than texts. */
  children?: ReactNode
}

/** Names and their values, in two columns. */
export function Facts({ facts = [], children }: FactsProps) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) =>
        value === null ? null : (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ),
      )}
      {children}
    </dl>
  )
}

interface FactProps {
  name: string
  /** The button that changes it. */
  act?: ReactNode
  children: ReactNode
}

export function Fact({ name, act, children }: FactProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {act ? (
          <span className={styles.withAct}>
            <span>{children}</span>
            {act}
          </span>
        ) : (
          children
        )}
      </dd>
    </div>
  )
}
