// Folders of shares: one root folder for each group, which cannot be edited, and those that users add.
import { randomBytes } from 'node:crypto'
import type { Page, PageQuery } from '@backhaul/contract/define/answers'
import { Conflict, NotFound } from '@backhaul/contract/define/errors'
import {
  groupOfRootFolder,
  type NewShareFolder,
  rootFolderOf,
  type ShareFolder,
} from '@backhaul/contract/nouns/shares'
import type { ShareFolderRow } from '../../database/communication-schema.ts'
import { pageOf, pagingOf } from '../../database/paging.ts'
import type { Database } from '../../database/schema.ts'
import type { Scope } from '../../database/scope.ts'
import { uniqueName } from '../../database/unique.ts'
import type { Found } from '../../doors/api/bind.ts'
import type { Groups } from '../../people/groups/groups.ts'
import * as table from './share-table.ts'

export interface ShareFolders {
  page(scope: Scope, query: PageQuery): Promise<Page<ShareFolder>>
  /** Throws NotFound for one of a group outside the caller's scope. */
  get(scope: Scope, id: string): Promise<ShareFolder>
  /** Throws Conflict for a name that the group has. */
  create(scope: Scope, folder: NewShareFolder): Promise<ShareFolder>
  /** Throws the same, and Conflict for a root folder. */
  rename(scope: Scope, id: string, name: string): Promise<ShareFolder>
  /** Throws Conflict for a root folder, and while subscribers are in it. */
  remove(scope: Scope, id: string, found: Found): Promise<void>
}

const folderKeys = ['name', 'group'] as const

export function createShareFolders({ db, groups }: { db: Database; groups: Groups }): ShareFolders {
  async function get(scope: Scope, id: string): Promise<ShareFolder> {
    const groupId = groupOfRootFolder(id)
    if (groupId !== undefined) {
      const group = await groups.get(scope, groupId).catch(() => undefined)
      if (group) return rootOf(groupId, group.inventoryId, group.name)
    }
    const [row] = await table.folders(db, scope, id)
    if (!row) throw new NotFound('folder')
    return folderOf(row)
  }

  async function editable(scope: Scope, id: string, found?: Found): Promise<ShareFolder> {
    const folder = await get(scope, id)
    found?.(folder)
    if (folder.root) throw new Conflict('share.rootFolder')
    return folder
  }

  return {
    async page(scope, query) {
      const roots = (await groups.light(scope)).map(({ uid, inventoryId, name }) =>
        rootOf(uid, inventoryId, name),
      )
      const inside = (await table.folders(db, scope)).map(folderOf)
      return pageOf([...roots, ...inside], pagingOf(query, folderKeys))
    },
    get,
    async create(scope, { name, group: groupId }) {
      const { inventoryId } = await groups.get(scope, groupId)
      const id = `sf-${randomBytes(9).toString('base64url')}`
      const row = { id, inventory_id: inventoryId, group_id: groupId, name }
      await uniqueName(table.insertFolder(db, row), 'share.folderName')
      return folderOf(row)
    },
    async rename(scope, id, name) {
      const folder = await editable(scope, id)
      await uniqueName(table.renameFolder(db, id, name), 'share.folderName')
      return { ...folder, name }
    },
    async remove(scope, id, found) {
      await editable(scope, id, found)
      await db.transaction().execute(async (transaction) => {
        await table.holdFolder(transaction, id)
        if (await table.hasSubscribers(transaction, id)) throw new Conflict('share.folderInUse')
        await table.deleteFolder(transaction, id)
      })
    },
  }
}

const rootOf = (group: string, inventoryId: string, name: string): ShareFolder => ({
  id: rootFolderOf(group),
  inventoryId,
  group,
  name,
  root: true,
})

const folderOf = (row: ShareFolderRow): ShareFolder => ({
  id: row.id,
  inventoryId: row.inventory_id,
  group: row.group_id,
  name: row.name,
  root: false,
})
