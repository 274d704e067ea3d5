// The columns of the unit list for all its rows: a server has the state, the name and the other fields that it shares with a unit; the rest is empty.
import { shortProductName } from '@backhaul/contract/nouns/products'
import { IconServer } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { Age } from '../../ui/Age.tsx'
import type { GridColumn } from '../../ui/grid/grid-columns.ts'
import { compareTexts } from '../../ui/locale.ts'
import { presenceLook, StatusGlyph } from '../../ui/StatusGlyph.tsx'
import { type ServerRow, textInUse } from '../servers/servers.ts'
import { isServer, type ListRow } from './list-row.ts'
import styles from './unit-columns.module.css'
import { AlertsCell, unitColumns } from './unit-columns.tsx'
import type { LiveUnit } from './units-live.ts'

interface ServerCell {
  text: (server: ServerRow) => string
  /** Content of the cell where it is more than the text. */
  render?: (server: ServerRow) => ReactNode
}

export function listColumns(
  t: TFunction<'units'>,
  words: TFunction<'servers'>,
  mayOperate: boolean,
): readonly GridColumn<ListRow>[] {
  const cells = serverCells(t, words)
  return unitColumns(t, mayOperate).map((column) => forAllRows(column, cells[column.id]))
}

function serverCells(
  t: TFunction<'units'>,
  words: TFunction<'servers'>,
): Readonly<Record<string, ServerCell>> {
  return {
    status: {
      text: ({ state }) => words(state),
      render: (server) => <ServerStatus server={server} t={words} />,
    },
    name: {
      text: ({ name }) => name,
      render: ({ name }) => (
        <span className={styles.glyphCell} data-tip={words('server')}>
          <IconServer size={14} role="img" aria-label={words('server')} />
          <span className={`clip ${styles.unitName}`}>{name}</span>
        </span>
      ),
    },
    channel: { text: (server) => textInUse(server, words) },
    alerts: {
      text: ({ alerts }) => (alerts.length === 0 ? '' : `${alerts.length}`),
      render: ({ alerts }) => <AlertsCell alerts={alerts} t={t} />,
    },
    type: { text: ({ productType }) => shortProductName(productType) },
    version: { text: ({ swVersion }) => swVersion },
    comment: { text: ({ comment }) => comment },
  }
}

function forAllRows(column: GridColumn<LiveUnit>, cell: ServerCell | undefined): GridColumn<ListRow> {
  const { render, text, compare, ...rest } = column
  const textOf = (row: ListRow) => (isServer(row) ? (cell?.text(row) ?? '') : text(row))
  const byText = (a: ListRow, b: ListRow) => compareTexts(textOf(a), textOf(b))
  // Like a unit without a value, a server is before all that have one; its state is none of a unit and comes after them.
  const ofServer = column.id === 'status' ? 1 : -1
  return {
    ...rest,
    text: textOf,
    render: (row) => (isServer(row) ? (cell?.render?.(row) ?? textOf(row)) : render(row)),
    compare(a, b) {
      if (compare === undefined || column.id === 'name') return byText(a, b)
      if (isServer(a)) return isServer(b) ? byText(a, b) : ofServer
      return isServer(b) ? -ofServer : compare(a, b)
    },
  }
}

function ServerStatus({ server, t }: { server: ServerRow; t: TFunction<'servers'> }) {
  const { state, stale, reportedAt, swVersion } = server
  const isOnline = state === 'online'
  const isSilent = isOnline && stale
  return (
    <span className={styles.glyphCell} data-tip={`${t(state)}\n${swVersion}`}>
      {isSilent ? (
        <StatusGlyph shape="questionRing" tone="offline" />
      ) : (
        <StatusGlyph {...presenceLook(isOnline)} />
      )}
      <span className={`${styles.statusWord} ${isOnline ? '' : 'quiet'}`}>{t(state)}</span>
      {isSilent && reportedAt !== null ? (
        <span className="aged-note">
          <Age atMs={reportedAt} />
        </span>
      ) : null}
    </span>
  )
}
