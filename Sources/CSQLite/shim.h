#pragma once

#include <sqlite3.h>

// SQLITE_TRANSIENT is a cast of -1 to a function pointer, which Swift cannot express: SQLite copies the bytes.
static inline int sekisho_bind_text(sqlite3_stmt *statement, int index, const char *text, int length) {
    return sqlite3_bind_text(statement, index, text, length, SQLITE_TRANSIENT);
}

// A null pointer would bind NULL instead of an empty blob.
static inline int sekisho_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int length) {
    return length == 0 ? sqlite3_bind_zeroblob(statement, index, 0)
                       : sqlite3_bind_blob(statement, index, bytes, length, SQLITE_TRANSIENT);
}

// sqlite3_db_config takes variadic arguments, which Swift cannot call.
static inline int sekisho_db_config(sqlite3 *database, int option, int value) {
    return sqlite3_db_config(database, option, value, (int *)0);
}

// sqlite3_config is variadic too. SQLite counts every allocation under one lock of the process unless it is told not to;
// nothing here asks for the counts, and they cost a fifth of every write. Before the first connection, or without effect.
static inline int sekisho_count_no_memory(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
