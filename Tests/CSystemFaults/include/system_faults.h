#ifndef SYSTEM_FAULTS_H
#define SYSTEM_FAULTS_H

/// The system calls by which a store is kept.
enum system_call { CALL_OPEN, CALL_WRITE, CALL_SYNC, CALL_TRUNCATE, CALL_RENAME, CALL_UNLINK, CALL_MAP, CALL_LOCK };

/// Whether calls of this process can be made to fail at all.
int system_faults_work(void);

/// Lets a call on a file below a directory fail: the nth from now on, and with `lasting` all after it too.
///
/// An error of 0 stands for a write that takes only half of the bytes.
void system_faults_arm(const char *directory, enum system_call call, int error, int nth, int lasting);

/// Lets all calls pass again; tells how many have failed.
int system_faults_disarm(void);

#endif
