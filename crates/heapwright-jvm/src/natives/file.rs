//! `java.io.File`: paths are plain text; methods that access the disk are refused by name.

use super::Entry;
use crate::vm::Fault;

macro_rules! refusals {
    ($($method:literal $descriptor:literal,)*) => {
        pub(super) const NATIVES: &[Entry] = &[
            $((concat!("java/io/File.", $method, $descriptor), |_, _| {
                Err(Fault::unsupported(concat!(
                    "java.io.File.",
                    $method,
                    ": files are not looked at"
                )))
            }),)*
        ];
    };
}

refusals! {
    "canExecute" "()Z",
    "canRead" "()Z",
    "canWrite" "()Z",
    "createNewFile" "()Z",
    "createTempFile" "(Ljava/lang/String;Ljava/lang/String;)Ljava/io/File;",
    "createTempFile" "(Ljava/lang/String;Ljava/lang/String;Ljava/io/File;)Ljava/io/File;",
    "delete" "()Z",
    "deleteOnExit" "()V",
    "exists" "()Z",
    "getCanonicalFile" "()Ljava/io/File;",
    "getCanonicalPath" "()Ljava/lang/String;",
    "getFreeSpace" "()J",
    "getTotalSpace" "()J",
    "getUsableSpace" "()J",
    "isDirectory" "()Z",
    "isFile" "()Z",
    "isHidden" "()Z",
    "lastModified" "()J",
    "length" "()J",
    "list" "()[Ljava/lang/String;",
    "list" "(Ljava/io/FilenameFilter;)[Ljava/lang/String;",
    "listFiles" "()[Ljava/io/File;",
    "listFiles" "(Ljava/io/FileFilter;)[Ljava/io/File;",
    "listFiles" "(Ljava/io/FilenameFilter;)[Ljava/io/File;",
    "listRoots" "()[Ljava/io/File;",
    "mkdir" "()Z",
    "mkdirs" "()Z",
    "renameTo" "(Ljava/io/File;)Z",
    "setExecutable" "(Z)Z",
    "setExecutable" "(ZZ)Z",
    "setLastModified" "(J)Z",
    "setReadOnly" "()Z",
    "setReadable" "(Z)Z",
    "setReadable" "(ZZ)Z",
    "setWritable" "(Z)Z",
    "setWritable" "(ZZ)Z",
}
